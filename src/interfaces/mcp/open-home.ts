import type { Mneme } from '../../mneme.ts';
import type { Places } from './conceal.ts';

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
