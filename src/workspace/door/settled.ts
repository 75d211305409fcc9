import { sleep } from '../../platform/clock.ts';
import type { FileChange } from '../journal/record.ts';
import { stampText } from '../known-files.ts';
import type { DoorContext } from './context.ts';
import { readRegular, stampOf } from './regular-file.ts';

const PAUSE_MS = 5;

/** A file that did not change for this long has been written completely. */
const STABLE_MS = 10;

/** Written longer ago than this, nobody is still at it. */
const SETTLED_MS = 25;

/** A file that is empty was emptied by an editor about to write it, unless it stays so. */
const EMPTY_MS = 1000;

/** Some editors move the old file away before they write the new one. */
const MISSING_MS = 50;

export interface SettledFile {
  readonly bytes: Buffer | undefined;
  /** When it was last written, by the file's own word and not later than now. */
  readonly savedAtMs: number;
}

/**
 * Reads a file that somebody else has changed, after they have finished: half a save taken for a whole one would look
 * as if they had deleted the rest. `isPatient` allows for a missing file as well.
 */
export async function readSettled(context: DoorContext, full: string, isPatient = true): Promise<SettledFile> {
  const { fs, clock } = context;
  for (let waitedMs = 0, stableMs = 0; ; waitedMs += PAUSE_MS) {
    const stamp = fs.stamp(full);
    const last = stamp === undefined ? undefined : stampText(stamp);
    const nowMs = clock.now();
    const savedAtMs = stamp === undefined ? nowMs : Math.min(nowMs, Number(stamp.mtimeNs / 1_000_000n));
    if (isComplete(stamp?.size, { ageMs: nowMs - savedAtMs, stableMs, waitedMs }, isPatient)) {
      const bytes = readRegular(fs, full);
      // The next save may have begun between the look and the reading.
      if (stampOf(fs, full) === last || waitedMs >= EMPTY_MS) return { bytes, savedAtMs };
    }
    await sleep(PAUSE_MS);
    stableMs = stampOf(fs, full) === last ? stableMs + PAUSE_MS : 0;
  }
}

function isComplete(
  size: number | undefined,
  { ageMs, stableMs, waitedMs }: { ageMs: number; stableMs: number; waitedMs: number },
  isPatient: boolean,
): boolean {
  if (size === undefined) return !isPatient || waitedMs >= MISSING_MS;
  if (waitedMs >= EMPTY_MS || ageMs > EMPTY_MS) return true;
  return size > 0 && (stableMs >= STABLE_MS || ageMs > SETTLED_MS);
}

/** One file's change that came from outside, with the bytes it has now. */
export interface ExternalEdit {
  readonly change: FileChange;
  readonly content: Buffer | undefined;
}

interface SortedEdits {
  readonly deleted: readonly ExternalEdit[];
  /** Files that vanished under one name and appeared under another: first the old name, then the new one. */
  readonly moved: readonly (readonly [ExternalEdit, ExternalEdit])[];
  readonly created: readonly ExternalEdit[];
}

/** Finds the moves among files that came and went: a person's `mv` is one act, and one undo should take it back. */
export function sortEdits(edits: readonly ExternalEdit[]): SortedEdits {
  const deleted = edits.filter(({ change }) => change.after === null);
  const created = edits.filter(({ change }) => change.after !== null);
  if (haveOverlappingPaths(deleted, created)) return { deleted, moved: [], created };
  const vanished = Map.groupBy(deleted, ({ change }) => change.before);
  const moved = created.flatMap((to): [ExternalEdit, ExternalEdit][] => {
    const from = vanished.get(to.change.after)?.shift();
    return from === undefined ? [] : [[from, to]];
  });
  const isMoved = new Set(moved.flat());
  return {
    deleted: deleted.filter((edit) => !isMoved.has(edit)),
    moved,
    created: created.filter((edit) => !isMoved.has(edit)),
  };
}

/** A file became a folder, or a folder a file: then everything must be removed before anything is added. */
function haveOverlappingPaths(deleted: readonly ExternalEdit[], created: readonly ExternalEdit[]): boolean {
  const gone = new Set(deleted.map(({ change }) => change.path));
  const fresh = new Set(created.map(({ change }) => change.path));
  return (
    [...fresh].some((file) => foldersOf(file).some((folder) => gone.has(folder))) ||
    [...gone].some((file) => foldersOf(file).some((folder) => fresh.has(folder)))
  );
}

function foldersOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
