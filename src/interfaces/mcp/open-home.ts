import path from 'node:path';
import type { Mneme } from '../../mneme.ts';

/** Folders of this machine. */
export interface Places {
  readonly home: string;
  /** Where the workspace lies; an adopted one is outside the home. */
  readonly workspace: string | undefined;
  readonly userHome: string | undefined;
}

/** Longer paths are cut to this length in messages, behind which nothing of the file's own name is left. */
const CUT_AT = 119;

/** A message without where on this machine things lie: whoever is at the other end may be anybody's agent. */
export function concealPlaces(text: string, { home, workspace, userHome }: Places): string {
  let shown = text;
  // The workspace first: it mostly lies in the home, and clients name files as seen from it.
  if (workspace !== undefined) shown = conceal(shown, workspace, { itself: 'the workspace', inside: '' });
  shown = conceal(shown.replaceAll(`the home ${home}`, 'the home'), home, { itself: 'the home', inside: '' });
  return userHome === undefined ? shown : conceal(shown, userHome, { itself: '~', inside: '~/' });
}

function conceal(
  text: string,
  place: string,
  { itself, inside }: { readonly itself: string; readonly inside: string },
): string {
  // Everything is inside the root; taking that away would leave words without their slashes.
  if (path.dirname(place) === place) return text;
  const cut = place.length < CUT_AT ? text : text.replaceAll(`${place.slice(0, CUT_AT)}…`, '…');
  const shorter = cut.replaceAll(`${place}/`, inside).replaceAll(`${place}\\`, inside);
  const [first = '', ...rest] = shorter.split(place);
  // A folder beside it whose name only begins the same is another.
  return rest.reduce((text, part) => text + (/^[\w.-]/u.test(part) ? place : itself) + part, first);
}

/**
 * A home that is opened while clients already connect. What fails to open (a disk that is not mounted yet, a lock) is
 * tried again by the next call instead of ending a process that an agent cannot restart.
 */
export class OpenHome {
  readonly path: string;
  readonly #open: () => Promise<Mneme>;
  readonly #userHome: string | undefined;
  #opened: Promise<Mneme> | undefined;
  #workspace: string | undefined;

  constructor(path: string, open: () => Promise<Mneme>, userHome?: string) {
    this.path = path;
    this.#open = open;
    this.#userHome = userHome;
  }

  get(): Promise<Mneme> {
    this.#opened ??= this.#openNow().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** Paths that are hidden from clients. */
  get places(): Places {
    return { home: this.path, workspace: this.#workspace, userHome: this.#userHome };
  }

  async #openNow(): Promise<Mneme> {
    const mneme = await this.#open();
    this.#workspace = mneme.internals.workspace.root;
    return mneme;
  }

  /** Finishes an opening in progress, then closes. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }
}
