import { decodeText } from '../safety/limits.ts';
import type { Journal } from '../journal/journal.ts';
import type { DoorContext } from './context.ts';
import type { RecentVersions } from './stale-save.ts';

/** A file's recent contents read off the journal; the one before them comes from git. */
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

  nowMs(): number {
    return this.#context.clock.now();
  }

  async find(path: string, sinceMs: number): Promise<{ text: string; oid: string }[]> {
    const versions: { text: string; oid: string }[] = [];
    let oldestBefore: string | null = null;
    for (const { record } of this.#journal.read(this.#journal.start())) {
      if (record.repository !== 'workspace') continue;
      if (!this.#isUnlimited && record.timeMs < sinceMs) continue;
      const index = record.files.findIndex((file) => file.path === path);
      const change = record.files[index];
      if (change === undefined) continue;
      if (versions.length === 0 && oldestBefore === null) oldestBefore = change.before;
      const content = record.contents[index];
      if (content !== undefined && change.after !== null) add(versions, change.after, content);
    }
    const older = oldestBefore === null ? undefined : await this.#context.readBlob(oldestBefore);
    if (older !== undefined && oldestBefore !== null) {
      const decoded = decodeText(older);
      if (decoded.kind === 'text') versions.unshift({ oid: oldestBefore, text: decoded.text });
    }
    return versions.reverse();
  }
}

function add(versions: { text: string; oid: string }[], oid: string, content: Buffer): void {
  const decoded = decodeText(content);
  if (decoded.kind === 'text') versions.push({ oid, text: decoded.text });
}
