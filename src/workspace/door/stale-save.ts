import { blobId } from '../known-files.ts';
import { diffBlocks, pickMergeBase } from '../markdown/merge.ts';
import { mergeTexts } from '../merge-text.ts';

/**
 * The time after our write within which a save without it counts as a stale buffer. A person who deletes what the
 * agent just wrote produces the very same file; only time tells the two apart, and nobody reads, decides and saves
 * in a few seconds. Beyond it the person's version is kept.
 */
export const STALE_SAVE_WINDOW_MS = 30_000;

/** A text somebody saved, and when they did: it may be noticed much later. */
export interface Save {
  readonly path: string;
  readonly text: string;
  readonly savedAtMs: number;
}

export interface RecentVersion {
  readonly text: string;
  readonly oid: string;
  /** Made by a person's edit, not by the write path: taking it back is on purpose. */
  readonly isExternal?: boolean | undefined;
}

export interface RecentVersions {
  /** Contents the file had in the window before a save, newest first, and the one before them. */
  find(save: Save, lastSeenOid: string | null): Promise<readonly RecentVersion[]>;
}

export interface HealedSave {
  readonly text: string;
  readonly restored: number;
  /** Whether the save was nothing but an earlier version. */
  readonly isEarlierVersion: boolean;
}

/**
 * An editor loaded the file, the write path added to it, the editor saved what it had: the addition is gone although it was
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
  // Lines removed by a person who resolves a merge were known to the save.
  if (hasConflictMarkers(newest.text)) return undefined;
  const base = pickBase(versions, save.text);
  if (base === newest || base === undefined) return undefined;
  if (versions.slice(0, versions.indexOf(base)).every(({ isExternal }) => isExternal === true)) return undefined;
  const shared = sharedLines(base.text, newest.text);
  const merged = mergeTexts(save.path, { base: shared, ours: newest.text, theirs: save.text });
  if (merged.text === save.text) return undefined;
  const difference = diffBlocks(save.text, merged.text);
  const restored = Math.max(1, difference.added.length + difference.changed.length);
  return { text: merged.text, restored, isEarlierVersion: base.text === save.text };
}

function hasConflictMarkers(text: string): boolean {
  return /^<{7} /mu.test(text) && /^>{7} /mu.test(text);
}

/** The text a save was made from: `lastSeen`, what stood there when we looked, unless an older version is closer. */
export async function findSaveBase(save: Save, lastSeen: string, recent: RecentVersions): Promise<string> {
  const versions = await recent.find(save, blobId(Buffer.from(lastSeen, 'utf8')));
  const base = pickBase([{ text: lastSeen }, ...versions], save.text);
  return base === undefined ? lastSeen : sharedLines(base.text, lastSeen);
}

/**
 * The lines of an older version that are still there. A line that went since may have come back on purpose, by an
 * undo in the editor: a merge from the whole older version would take the save for one that had never heard of the
 * removal.
 */
function sharedLines(older: string, newer: string): string {
  const present = new Set(newer.split('\n'));
  return older
    .split('\n')
    .filter((line) => present.has(line))
    .join('\n');
}

/** Comparing by block is slow; of hundreds of versions only so many are worth it. */
const MAX_COMPARED = 8;

/** The version a text was most probably edited from, given newest first. */
function pickBase<V extends { readonly text: string }>(versions: readonly V[], text: string): V | undefined {
  const wanted = countLines(text);
  const ranked = versions
    .map((version, age) => ({ version, age, distance: lineDistance(countLines(version.text), wanted) }))
    .sort((a, b) => a.distance - b.distance || a.age - b.age)
    .slice(0, MAX_COMPARED)
    .sort((a, b) => a.age - b.age);
  const best = pickMergeBase(
    ranked.map(({ version }) => version.text),
    text,
  );
  return ranked[best]?.version;
}

function countLines(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of text.split('\n')) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** Counts the lines that one text has more or less often than the other. */
function lineDistance(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): number {
  let distance = 0;
  for (const [line, count] of a) distance += Math.abs(count - (b.get(line) ?? 0));
  for (const [line, count] of b) if (!a.has(line)) distance += count;
  return distance;
}
