import { errorMessage } from '../../model/errors.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import type { Git } from '../../workspace/git/git.ts';
import { chunkFile } from '../chunk/chunk-file.ts';
import type { DocumentKey, IndexedDocument } from '../passage.ts';
import type { DocumentState, IndexView } from '../port.ts';
import { type FileStamp, type FoundFile, isSameStamp } from './home-files.ts';
import type { RefreshParts } from './refresh.ts';

/** The content of a file when it had a stamp. */
export interface KnownStamp extends FileStamp {
  /** git's id of the content, or `IGNORED`. */
  readonly oid: string;
}

/** In place of the id of a file that git is told to ignore. */
export const IGNORED = 'ignored';

/**
 * A stamp this young is not believed, because a file system's clock ticks coarsely: the file may have been written
 * once more within the same tick after it was read.
 */
const RACY_MS = 2000;

/** Numbers as REAL: an inode may be larger than an integer that JavaScript reads. */
const SCHEMA = `
  CREATE TABLE stamps (
    key TEXT PRIMARY KEY, oid TEXT NOT NULL, size REAL NOT NULL, mtime REAL NOT NULL, ctime REAL NOT NULL,
    inode REAL NOT NULL
  ) WITHOUT ROWID;
`;
const SCHEMA_VERSION = 1;

type Row = [key: string, oid: string, size: number, mtimeMs: number, ctimeMs: number, inode: number];

/**
 * The known contents of files by their stamps, so that an unchanged home is not read again. It says nothing
 * about the index: it may be older or younger than it, be lost or be shared by several processes, and is never wrong.
 */
export class StampTable {
  readonly #state: StateDatabase;

  constructor(file: string) {
    this.#state = new StateDatabase(file, SCHEMA, SCHEMA_VERSION);
  }

  all(): Map<string, KnownStamp> {
    const statement = this.#state.prepare('SELECT key, oid, size, mtime, ctime, inode FROM stamps');
    statement.setReturnArrays(true);
    const known = new Map<string, KnownStamp>();
    for (const [key, oid, size, mtimeMs, ctimeMs, inode] of statement.all() as unknown as Row[]) {
      known.set(key, { oid, size, mtimeMs, ctimeMs, inode });
    }
    return known;
  }

  /** Remembers files and forgets others, all at once. */
  update(seen: readonly (FoundFile & { readonly oid: string })[], gone: readonly string[], nowMs: number): void {
    const settled = seen.filter(({ mtimeMs, ctimeMs }) => nowMs - Math.max(mtimeMs, ctimeMs) >= RACY_MS);
    if (settled.length === 0 && gone.length === 0) return;
    const { connection } = this.#state;
    const insert = this.#state.prepare('INSERT OR REPLACE INTO stamps VALUES (?, ?, ?, ?, ?, ?)');
    const remove = this.#state.prepare('DELETE FROM stamps WHERE key = ?');
    connection.exec('PRAGMA busy_timeout = 2000; BEGIN IMMEDIATE');
    try {
      for (const file of settled) {
        insert.run(keyOf(file), file.oid, file.size, file.mtimeMs, file.ctimeMs, file.inode);
      }
      for (const key of gone) remove.run(key);
      connection.exec('COMMIT');
    } catch (error) {
      connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#state.close();
  }
}

/** A key as one text. Most files are the workspace's: theirs is the path, which is at hand and never starts so. */
export function keyOf({ source, path }: DocumentKey): string {
  return source === 'workspace' ? path : `//${source}/${path}`;
}

/** Returns those of the workspace paths that are not part of the memory. */
export type IgnoreCheck = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/** Asks git: what a person keeps out of history is not searched either. */
export function ignoredBy(git: Git): IgnoreCheck {
  return async (paths) => {
    const { stdout } = await git.attempt(['check-ignore', '-z', '--stdin'], { input: paths.join('\0') });
    return new Set(stdout.toString('utf8').split('\0'));
  };
}

interface IgnoredFiles {
  readonly keys: ReadonlySet<string>;
  /** The ids to remember, so that git is asked once for every file. */
  readonly learned: readonly (FoundFile & { readonly oid: string })[];
}

interface IgnoreInput {
  readonly found: readonly FoundFile[];
  readonly stamps: ReadonlyMap<string, KnownStamp>;
  /** The workspace's own list of what to ignore, when there is one. */
  readonly rules: FoundFile | undefined;
  readonly check: IgnoreCheck | undefined;
}

/** Files not seen before are asked for; all are, when the rules have changed. */
export async function findIgnored({ found, stamps, rules, check }: IgnoreInput): Promise<IgnoredFiles> {
  const keys = new Set<string>();
  if (check === undefined) return { keys, learned: [] };
  const hasNewRules = rules !== undefined && !isSameStamp(stamps.get(keyOf(rules)), rules);
  const doubtful: FoundFile[] = [];
  for (const file of found) {
    if (file.source !== 'workspace') continue;
    const known = stamps.get(keyOf(file));
    if (known === undefined || hasNewRules) doubtful.push(file);
    else if (known.oid === IGNORED) keys.add(keyOf(file));
  }
  const answer = doubtful.length === 0 ? new Set<string>() : await check(doubtful.map(({ path }) => path));
  const learned = doubtful.filter(({ path }) => answer.has(path));
  for (const file of learned) keys.add(keyOf(file));
  return { keys, learned: [...learned, ...(hasNewRules ? [rules] : [])].map(asIgnored) };
}

function asIgnored(file: FoundFile): FoundFile & { readonly oid: string } {
  return { ...file, oid: IGNORED };
}

/** Differences between the files and the documents made from them, in words. Reads every file. */
export async function compareWithFiles(
  { index, files, context, hashOf }: RefreshParts,
  found: readonly FoundFile[],
  indexed: ReadonlyMap<string, DocumentState>,
): Promise<string[]> {
  const view = await index.view({ scopes: [], withArchived: true });
  const findings: string[] = [];
  const superfluous = new Map(indexed);
  for (const key of found) {
    const document = indexed.get(keyOf(key));
    superfluous.delete(keyOf(key));
    try {
      const file = files.read(key);
      if (file === undefined) continue;
      if (document === undefined) findings.push(`${key.source}: ${key.path} is not in the index.`);
      else if (document.hash !== hashOf(file.oid)) {
        findings.push(`${key.source}: ${key.path} has changed since it was indexed.`);
      } else if (!(await hasSameTexts(view, chunkFile({ ...file, hash: document.hash }, context)))) {
        findings.push(`${key.source}: the index holds another text than ${key.path}.`);
      }
    } catch (error) {
      findings.push(`${key.source}: ${key.path} cannot be read: ${errorMessage(error)}`);
    }
  }
  for (const { source, path, isOthers } of superfluous.values()) {
    if (isOthers === true) continue;
    findings.push(`${source}: ${path} is in the index, but there is no such file.`);
  }
  return findings;
}

/** The hash says what a document was made from, not that it is still what was made. */
async function hasSameTexts(view: IndexView, document: IndexedDocument | undefined): Promise<boolean> {
  if (document === undefined) return true;
  const stored = await view.readDocument(document);
  const { passages } = document;
  return (
    stored.length === passages.length &&
    stored.every(({ id, lead, day, text }, at) => {
      const made = passages[at];
      return id === made?.id && lead === made.lead && day === made.day && text === made.text;
    })
  );
}
