import { blobId } from '../git/blob-id.ts';
import { diffBlocks, pickMergeBase } from '../markdown/merge.ts';
import { mergeTexts } from '../merge-text.ts';

/**
 * How long after our write a save without it is taken for a stale buffer. A person who deletes what the agent just
 * wrote produces the very same file; only time tells the two apart, and nobody reads, decides and saves in a few
 * seconds. Beyond it the person's version stands.
 */
export const STALE_SAVE_WINDOW_MS = 30_000;

/** A text somebody saved, and when they did: it may be noticed much later. */
export interface Save {
  readonly path: string;
  readonly text: string;
  readonly savedAtMs: number;
}

export interface RecentVersions {
  /** Contents the file had in the window before a save, newest first, and the one before them. */
  find(save: Save, lastSeenOid: string | null): Promise<readonly { readonly text: string; readonly oid: string }[]>;
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
  save: Save,
  knownOid: string,
  recent: RecentVersions,
): Promise<HealedSave | undefined> {
  const versions = await recent.find(save, knownOid);
  const newest = versions[0];
  if (newest === undefined || newest.oid !== knownOid || versions.length < 2) return undefined;
  const baseIndex = pickMergeBase(
    versions.map((version) => version.text),
    save.text,
  );
  const base = versions[baseIndex];
  if (baseIndex === 0 || base === undefined) return undefined;
  const merged = mergeTexts(save.path, { base: base.text, ours: newest.text, theirs: save.text });
  if (merged.text === save.text) return undefined;
  const difference = diffBlocks(save.text, merged.text);
  return { text: merged.text, restored: Math.max(1, difference.added.length + difference.changed.length) };
}

/** The text a save was made from: `lastSeen`, what stood there when we looked, unless an older version is closer. */
export async function findSaveBase(save: Save, lastSeen: string, recent: RecentVersions): Promise<string> {
  const versions = await recent.find(save, blobId(Buffer.from(lastSeen, 'utf8')));
  const candidates = [lastSeen, ...versions.map((version) => version.text)];
  return candidates[pickMergeBase(candidates, save.text)] ?? lastSeen;
}
