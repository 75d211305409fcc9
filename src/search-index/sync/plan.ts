import type { DocumentKey } from '../passage.ts';
import type { DocumentState } from '../port.ts';
import { isSameStamp, type FoundFile } from './home-files.ts';
import { keyOf, type KnownStamp } from './stamp-table.ts';

export interface SyncInput {
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
