import { ulidTimeMs } from '../../model/ids.ts';
import { decodeText } from '../safety/limits.ts';
import type { Journal } from '../journal/journal.ts';
import type { DoorContext } from './context.ts';
import type { RecentVersion, RecentVersions, Save } from './stale-save.ts';

/** A state of the file; one without content is in git. */
interface State {
  readonly oid: string;
  readonly content?: Buffer | undefined;
  readonly isExternal?: boolean | undefined;
}

const NOTHING: RecentVersion = { oid: '', text: '' };

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

  async find({ path, savedAtMs }: Save, lastSeenOid: string | null): Promise<RecentVersion[]> {
    const sinceMs = this.#isUnlimited ? 0 : savedAtMs - this.#context.staleSaveWindowMs;
    const { states, before, reachesBack } = this.#readJournal(path, sinceMs);
    const newestFirst = await this.#resolve(states.toReversed());
    const anchor = before === undefined ? lastSeenOid : before;
    // An editor may have been opened when there was no file yet: its save is made from nothing. A file with one
    // version only is left to the person: rewriting its only line looks just the same.
    if (anchor === null) return newestFirst.length < 2 ? newestFirst : [...newestFirst, NOTHING];
    if (reachesBack) return newestFirst;
    const older = await this.#readOlder(path, sinceMs, anchor);
    return [...newestFirst, ...older];
  }

  async #resolve(states: readonly State[]): Promise<RecentVersion[]> {
    const versions: (RecentVersion | undefined)[] = [];
    for (const { oid, content, isExternal } of states) {
      const version = toVersion(oid, content ?? (await this.#context.readBlob(oid)));
      versions.push(version === undefined ? undefined : { ...version, isExternal });
    }
    return versions.filter((version) => version !== undefined);
  }

  /**
   * Reads versions that went with drained segments. Only those before `anchor`: a user's newer commit is not an
   * older version.
   */
  async #readOlder(path: string, sinceMs: number, anchor: string): Promise<RecentVersion[]> {
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
  ): { states: State[]; before: string | null | undefined; reachesBack: boolean } {
    const states: State[] = [];
    let before: string | null | undefined;
    let older: State | undefined;
    let lastOid: string | null | undefined;
    for (const { record } of this.#journal.read(this.#journal.start())) {
      const index = record.repository === 'workspace' ? record.files.findIndex((file) => file.path === path) : -1;
      const change = record.files[index];
      if (change === undefined) continue;
      const isExternal = record.actor === 'external';
      const state =
        change.after === null ? undefined : { oid: change.after, content: record.contents[index], isExternal };
      // The id tells when it was written; the record's own time is when it happened, which may be years ago.
      if (ulidTimeMs(record.id) < sinceMs) older = state;
      else {
        if (before === undefined) before = change.before;
        // A person's own commit leaves no record; what it made of the file is known only as what we built upon.
        else if (change.before !== null && change.before !== lastOid) states.push({ oid: change.before });
        if (state !== undefined) states.push(state);
      }
      lastOid = change.after;
    }
    const isFirstHere = before === null || (older !== undefined && (before === undefined || older.oid === before));
    if (isFirstHere && older !== undefined) states.unshift(older);
    return { states, before, reachesBack: isFirstHere };
  }
}

function toVersion(oid: string | null, content: Buffer | undefined): RecentVersion | undefined {
  const decoded = content === undefined ? undefined : decodeText(content);
  return oid !== null && decoded?.kind === 'text' ? { oid, text: decoded.text } : undefined;
}
