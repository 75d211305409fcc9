import { errorMessage } from '../../model/errors.ts';
import { chunkFile, isSearched } from '../chunk/chunk-file.ts';
import type { ChunkContext } from '../chunk/draft.ts';
import type { DocumentKey, IndexedDocument } from '../passage.ts';
import type { DocumentState, SearchIndex } from '../port.ts';
import { type FoundFile, type HomeFiles, type ReadFile, isHidden, isSameStamp } from './home-files.ts';
import { keyOf, type KnownStamp } from './stamp-table.ts';

/** A transaction of this size takes a fraction of a second, which is what a reader waits for at most. */
const MAX_BATCH_DOCUMENTS = 200;
const MAX_BATCH_CHARS = 4 * 1024 * 1024;
/** A file written this often in a row is still being written; the next sync sees the end of it. */
const MAX_ROUNDS = 5;

export interface Refreshed {
  readonly put: number;
  readonly removed: number;
  /** The files read, to be remembered by their stamps. */
  readonly read: readonly (FoundFile & { readonly oid: string })[];
  /** Files that could not be read, in words; the index keeps what it had of them. */
  readonly problems: readonly string[];
}

export interface RefreshParts {
  readonly index: SearchIndex;
  readonly files: HomeFiles;
  readonly context: ChunkContext;
  readonly hashOf: (oid: string) => string;
  /** The indexed hash of a file when the sync began: equal content is not put again. */
  readonly indexedHash?: ((key: DocumentKey) => string | undefined) | undefined;
}

export function isIndexable(key: DocumentKey, context: ChunkContext): boolean {
  return !key.path.split('/').some(isHidden) && isSearched(key, context.layout);
}

/** Cuts a list into pieces that fit one transaction each; sizes are those on disk. */
export function* batchesOf<T extends DocumentKey & { readonly size?: number }>(keys: readonly T[]): Generator<T[]> {
  let batch: T[] = [];
  let size = 0;
  for (const key of keys) {
    batch.push(key);
    size += key.size ?? 0;
    if (batch.length < MAX_BATCH_DOCUMENTS && size < MAX_BATCH_CHARS) continue;
    yield batch;
    batch = [];
    size = 0;
  }
  if (batch.length > 0) yield batch;
}

/**
 * Makes the index hold what these files contain now, in one transaction. A file that changes meanwhile is taken again:
 * whoever wrote it may have updated the index before this did, with something newer.
 */
export async function refresh(parts: RefreshParts, keys: readonly DocumentKey[]): Promise<Refreshed> {
  const { files, index } = parts;
  const problems: string[] = [];
  const read: (FoundFile & { readonly oid: string })[] = [];
  let put = 0;
  let removed = 0;
  let rest = keys;
  for (let round = 0; rest.length > 0 && round < MAX_ROUNDS; round += 1) {
    const documents: IndexedDocument[] = [];
    const gone: DocumentKey[] = [];
    const taken = new Map<DocumentKey, ReadFile | undefined>();
    for (const key of rest) {
      const file = readFile(files, key, problems);
      if (file === 'unreadable') continue;
      taken.set(key, file);
      const isIndexed = round === 0 && file !== undefined && parts.indexedHash?.(key) === parts.hashOf(file.oid);
      if (isIndexed) {
        read.push(file);
        continue;
      }
      const document = file && chunkRead(file, parts);
      if (document === undefined) gone.push({ source: key.source, path: key.path });
      else documents.push(document);
      if (file !== undefined) read.push(file);
    }
    if (documents.length > 0 || gone.length > 0) await index.apply({ put: documents, remove: gone });
    put += documents.length;
    removed += gone.length;
    rest = rest.filter((key) => taken.has(key) && !isSameStamp(files.find(key), taken.get(key)));
  }
  return { put, removed, read, problems };
}

function chunkRead(
  { source, path, text, oid }: ReadFile,
  { context, hashOf }: RefreshParts,
): IndexedDocument | undefined {
  return chunkFile({ source, path, text, hash: hashOf(oid) }, context);
}

/** One file that cannot be read must not keep the others from being found. */
function readFile(files: HomeFiles, key: DocumentKey, problems: string[]): ReadFile | undefined | 'unreadable' {
  try {
    return files.read(key);
  } catch (error) {
    problems.push(`${key.path} cannot be read and keeps what the index had of it: ${errorMessage(error)}`);
    return 'unreadable';
  }
}

interface SyncInput {
  readonly found: readonly FoundFile[];
  /** Keys of those that git is told to ignore. */
  readonly ignored: ReadonlySet<string>;
  readonly stamps: ReadonlyMap<string, KnownStamp>;
  /** The documents in the index, by key. */
  readonly indexed: ReadonlyMap<string, DocumentState>;
  /** Whether a document of that hash was made from that content. */
  readonly isMadeFrom: (hash: string, oid: string) => boolean;
  /** Whether the current version of the indexer made the document of that hash, from whatever content. */
  readonly isOfThisVersion: (hash: string) => boolean;
}

export interface SyncPlan {
  /** Files whose content is unknown or differs from the index's. */
  readonly read: readonly FoundFile[];
  /** Documents whose files are gone. */
  readonly remove: readonly DocumentKey[];
  /** Documents whose files are there but not to be searched any more. */
  readonly exclude: readonly DocumentKey[];
  readonly unchanged: number;
  /** Keys of remembered files that no longer exist. */
  readonly forget: readonly string[];
}

/** Plans the steps after which the index holds exactly the files found. */
export function planSync({ found, ignored, stamps, indexed, isMadeFrom, isOfThisVersion }: SyncInput): SyncPlan {
  const read: FoundFile[] = [];
  const present = new Set<string>();
  let unchanged = 0;
  for (const file of found) {
    const key = keyOf(file);
    present.add(key);
    if (ignored.has(key)) continue;
    const known = stamps.get(key);
    const document = known !== undefined && isSameStamp(known, file) ? indexed.get(key) : undefined;
    const isCurrent = document !== undefined && known !== undefined && isMadeFrom(document.hash, known.oid);
    // Nothing has changed here, so another machine is ahead: its version comes here with the files.
    const isAhead = document?.isOthers === true && isOfThisVersion(document.hash);
    if (isCurrent || isAhead) unchanged += 1;
    else read.push(file);
  }
  const documents = [...indexed].filter(([, { isOthers }]) => isOthers !== true);
  const remove = documents.filter(([key]) => !present.has(key)).map(([, document]) => document);
  const exclude = documents.filter(([key]) => ignored.has(key)).map(([, document]) => document);
  const forget = [...stamps.keys()].filter((key) => !present.has(key));
  return { read, remove, exclude, unchanged, forget };
}
