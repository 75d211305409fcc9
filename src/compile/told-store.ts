import { hash } from 'node:crypto';
import path from 'node:path';
import type { FileSystem } from '../platform/fs.ts';
import { clearOldest, sessionFile } from '../platform/private-folder.ts';
import { MINUTE_MS } from '../model/time.ts';
import { quoteText } from './fence.ts';

/** The injected context that an agent still has in its window. */
export interface Told {
  /** Of the lines it was told; nothing can be read back from them. */
  readonly keys: ReadonlySet<string>;
  /** When its window was last emptied by compaction: what its own conversation said before is a memory to it now. */
  readonly sinceMs: number | undefined;
}

export const NOTHING_TOLD: Told = { keys: new Set(), sinceMs: undefined };

/** Some hundred prompts' worth; beyond that the oldest has long left every window. */
const MAX_KEYS = 4000;
/** Sessions that are remembered; one that comes back after so many others may be told again. */
const MAX_SESSIONS = 300;
const SPARE = 30;

/**
 * `journal/told/<session>.json`: what was told in a session. Losing it costs a repetition, so nothing is synced; two
 * prompts of one session at once may forget each other's lines.
 */
export class ToldStore {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'told');
  }

  read(session: string): Told {
    const stored = parse(this.#fs.read(sessionFile(this.#folder, session))?.toString('utf8'));
    return { keys: new Set(stored.keys), sinceMs: stored.sinceMs };
  }

  async write(session: string, { keys, sinceMs }: Told): Promise<void> {
    this.#fs.makeDirectory(this.#folder);
    const file = sessionFile(this.#folder, session);
    const temporary = `${file}.new`;
    const kept = [...keys].slice(-MAX_KEYS);
    this.#fs.write(temporary, Buffer.from(JSON.stringify({ sinceMs, keys: kept }), 'utf8'));
    await this.#fs.rename(temporary, file);
    clearOldest(this.#fs, this.#folder, MAX_SESSIONS, SPARE);
  }

  /** The window was compacted: whatever was in it may be told again. */
  async forget(session: string, nowMs: number): Promise<void> {
    await this.write(session, compacted(nowMs));
  }
}

/** Nothing told, from this minute on: turns know their time no better. */
export function compacted(nowMs: number): Told {
  return { keys: new Set(), sinceMs: Math.floor(nowMs / MINUTE_MS) * MINUTE_MS };
}

/** An unreadable file says as much as a missing one: an erasure or a crash may have left it so. */
function parse(text: string | undefined): { readonly keys: readonly string[]; readonly sinceMs: number | undefined } {
  try {
    const value = JSON.parse(text ?? '{}') as { keys?: unknown; sinceMs?: unknown };
    return {
      keys: Array.isArray(value.keys) ? value.keys.filter((key) => typeof key === 'string') : [],
      sinceMs: typeof value.sinceMs === 'number' ? value.sinceMs : undefined,
    };
  } catch (error) {
    if (error instanceof SyntaxError) return { keys: [], sinceMs: undefined };
    throw error;
  }
}

/** Something that went into a prompt. */
export interface ToldPiece {
  readonly id: string;
  readonly said: string;
}

/** Shorter lines ("yes", "- done") tell nothing by themselves. */
const MIN_LINE = 12;
/** By its lines: the same words may come back in another piece, with other neighbours, or shortened. */
export function keysOf({ id, said }: ToldPiece): readonly string[] {
  const lines = quoteText(said)
    .split('\n')
    .map(normalizeLine)
    .filter((line) => line.length >= MIN_LINE);
  return (lines.length === 0 ? [`${id}\n${normalizeLine(said)}`] : lines).map(keyOf);
}

export function isTold(pieces: readonly ToldPiece[], { keys }: Told): boolean {
  return keys.size > 0 && pieces.length > 0 && pieces.every((piece) => keysOf(piece).every((key) => keys.has(key)));
}

function keyOf(text: string): string {
  return hash('sha1', text, 'base64url').slice(0, 12);
}

/** The content already in the prompt, so that nothing is repeated. */
export class Said {
  readonly #texts: { readonly where: string; readonly text: string }[] = [];
  readonly #lines = new Map<string, string>();

  /** Passages repeat each other line by line; what stands in a file may be part of a longer line there. */
  add(where: string, { lines, text }: Words, isPassage: boolean): void {
    if (!isPassage && text !== '') this.#texts.push({ where, text });
    for (const line of lines) if (!this.#lines.has(line)) this.#lines.set(line, where);
  }

  /** Where all of it already stands; undefined when anything in it is new. */
  findRepeated({ lines: [first, ...rest] }: Words): string | undefined {
    const place = first === undefined ? undefined : this.#find(first);
    return place !== undefined && rest.every((line) => this.#find(line) !== undefined) ? place : undefined;
  }

  #find(line: string): string | undefined {
    return this.#lines.get(line) ?? this.#texts.find(({ text }) => text.includes(line))?.where;
  }
}

/** The words of a text, without its formatting. */
export interface Words {
  /** The lines that tell something by themselves. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** As it would be quoted: a piece may be known only by what was taken of it, which was. */
export function wordsOf(said: string): Words {
  const quoted = quoteText(said).split('\n').map(normalizeLine);
  return { lines: quoted.filter((line) => line.length >= MIN_LINE), text: quoted.join(' ') };
}

/** Emphasis, list marks and spacing do not make it something else. */
function normalizeLine(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[*_`#>\s]+|(?:^|\n)\s*[-+]\s+/gu, ' ')
    .trim();
}
