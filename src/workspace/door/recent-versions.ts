import { ulidTimeMs } from '../../model/ids.ts';
import { decodeText } from '../safety/limits.ts';
import type { Journal } from '../journal/journal.ts';
import type { DoorContext } from './context.ts';
import type { RecentVersions, Save } from './stale-save.ts';

interface Version {
  readonly oid: string;
  readonly text: string;
}

/** A file's recent contents read off the journal; the one before them may come from git. */
export class JournalVersions implements RecentVersions {
  readonly #context: DoorContext;
  readonly #journal: Journal;
  /** Set during recovery, when "recent" is whatever the journal still holds. */
  readonly #isUnlimited: boolean;

  constructor(context: DoorContext, journal: Journal, isUnlimited = false) {
    this.#context = context;
    this.#journal = journal;
    this.#isUnlimited = isUnlimited;
  }

  async find({ path, savedAtMs }: Save, lastSeenOid: string | null): Promise<Version[]> {
    const sinceMs = this.#isUnlimited ? 0 : savedAtMs - this.#context.staleSaveWindowMs;
    const { versions, before, reachesBack } = this.#readJournal(path, sinceMs);
    const newestFirst = versions.toReversed();
    const anchor = before === undefined ? lastSeenOid : before;
    if (reachesBack || anchor === null) return newestFirst;
    const older = await this.#readOlder(path, sinceMs, anchor);
    return [...newestFirst, ...older];
  }

  /** What went with drained segments. Only what came before `anchor`: a person's newer commit is no older version. */
  async #readOlder(path: string, sinceMs: number, anchor: string): Promise<Version[]> {
    const committed = this.#isUnlimited ? [] : await this.#context.readCommitted(path, sinceMs);
    const start = committed.findIndex(({ oid }) => oid === anchor);
    const content = start === -1 ? await this.#context.readBlob(anchor) : undefined;
    const older =
      start === -1
        ? [toVersion(anchor, content)]
        : committed.slice(start).map((one) => toVersion(one.oid, one.content));
    return older.filter((version) => version !== undefined);
  }

  /** Oldest first; reaches back when it includes what stood there as the window began. */
  #readJournal(
    path: string,
    sinceMs: number,
  ): { versions: Version[]; before: string | null | undefined; reachesBack: boolean } {
    const versions: Version[] = [];
    let before: string | null | undefined;
    let older: Version | undefined;
    for (const { record } of this.#journal.read(this.#journal.start())) {
      const index = record.repository === 'workspace' ? record.files.findIndex((file) => file.path === path) : -1;
      const change = record.files[index];
      if (change === undefined) continue;
      const version = toVersion(change.after, record.contents[index]);
      // The id tells when it was written; the record's own time is when it happened, which may be years ago.
      if (ulidTimeMs(record.id) < sinceMs) older = version;
      else {
        if (before === undefined) before = change.before;
        if (version !== undefined) versions.push(version);
      }
    }
    const isFirstHere = before === null || (older !== undefined && (before === undefined || older.oid === before));
    if (isFirstHere && older !== undefined) versions.unshift(older);
    return { versions, before, reachesBack: isFirstHere };
  }
}

function toVersion(oid: string | null, content: Buffer | undefined): Version | undefined {
  const decoded = content === undefined ? undefined : decodeText(content);
  return oid !== null && decoded?.kind === 'text' ? { oid, text: decoded.text } : undefined;
}
