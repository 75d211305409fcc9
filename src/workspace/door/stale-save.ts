import { diffBlocks, pickMergeBase } from '../markdown/merge.ts';
import { mergeTexts } from '../merge-text.ts';

/**
 * How long after our write a save without it is taken for a stale buffer. A person who deletes what the agent just
 * wrote produces the very same file; only time tells the two apart, and nobody reads, decides and saves in a few
 * seconds. Beyond it the person's version stands.
 */
export const STALE_SAVE_WINDOW_MS = 30_000;

/** Recent contents of a file, newest first, as the journal holds them. */
export interface RecentVersions {
  find(path: string, sinceMs: number): Promise<readonly { readonly text: string; readonly oid: string }[]>;
  nowMs(): number;
}

export interface HealedSave {
  readonly text: string;
  readonly restored: number;
}

/**
 * An editor loaded the file, the door added to it, the editor saved what it had: the addition is gone although it was
 * acknowledged. If the saved text is closer to an older version than to the newest, merge it from that version.
 */
export async function healStaleSave(
  path: string,
  saved: string,
  knownOid: string,
  recent: RecentVersions,
): Promise<HealedSave | undefined> {
  const versions = await recent.find(path, recent.nowMs() - STALE_SAVE_WINDOW_MS);
  const newest = versions[0];
  if (newest === undefined || newest.oid !== knownOid || versions.length < 2) return undefined;
  const baseIndex = pickMergeBase(
    versions.map((version) => version.text),
    saved,
  );
  const base = versions[baseIndex];
  if (baseIndex === 0 || base === undefined) return undefined;
  const merged = mergeTexts(path, { base: base.text, ours: newest.text, theirs: saved });
  if (merged.text === saved) return undefined;
  const difference = diffBlocks(saved, merged.text);
  return { text: merged.text, restored: Math.max(1, difference.added.length + difference.changed.length) };
}
