import fs from 'node:fs';
import path from 'node:path';
import { partsOfFiles, partsOfHistories, type PartsManifest } from '../../maintain/backup/manifest.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { PARTIAL_SUFFIX, parseArchiveName, sortArchives } from '../../workspace/erase/backup-archives.ts';
import type { Random } from '../../platform/random.ts';
import type { OperationContext } from '../context.ts';
import { readFolderList, sizeOf } from './folder-lists.ts';
import { PartStore } from './part-store.ts';
import { partsFolder } from './places.ts';
import { type UnpackControls, unpackHome } from './unpack.ts';
import { readPartsManifest, removeUnneeded, writeParts, writePartsManifest } from './write-parts.ts';

/** Grown by this much since the last trial, a home is restored as a whole once more. */
const TRIAL_GROWTH = 1.25;
/** Of the parts that were there before, so much is read again each night, from another place each time. */
const REREAD_BYTES = 4 * 1024 * 1024;
const REREAD_PARTS = 200;
/** Histories are few and large, and grow with the years: one of them on one night of so many. */
const HISTORY_NIGHTS = 7;
/** Once so many parts came, compared with those that are needed, those that are not are cleared away. */
const SPARE_SHARE = 0.25;

/** A backup that adds only what is new: its cost depends on what a day brought, not on how old the memory is. */
export async function makeOfParts(
  context: OperationContext,
  target: BackupTarget & { readonly folder: string },
  controls: UnpackControls,
): Promise<Made> {
  const { workspace, config, random } = context;
  const { folder, homeId, file } = target;
  const { earlier, notes } = findEarlier(folder, homeId);
  const store = PartStore.open(partsFolder(folder, homeId));
  try {
    const hasTranscripts = config.backup.include_transcripts;
    const written = await untilStill(target, controls, () =>
      writeParts({
        workspace,
        settled: context.parts.settledFolders,
        hasTranscripts,
        ...target,
        ...controls,
        store,
        earlier,
      }),
    );
    const { manifest } = written;
    writePartsManifest(file, manifest);
    await check({ file, scratch: target.scratch, manifest, store, random }, controls);
    const { files, parts } = sizeOf(manifest);
    const bytes = fs.statSync(file).size + addedBytes(store);
    const { addedParts: added } = manifest;
    return { files, bytes, notes: [...notes, ...written.notes], parts: { needed: parts, added } };
  } catch (error) {
    fs.rmSync(file, { force: true });
    tidyParts(folder, homeId);
    throw error;
  }
}

interface Checked {
  readonly file: string;
  readonly scratch: string;
  readonly manifest: PartsManifest;
  readonly store: PartStore;
  readonly random: Random;
}

/**
 * Everything that was added is read back and compared, and some of what was there. The whole is restored on trial
 * whenever it has grown by a quarter: every night would cost more every night.
 */
async function check({ file, scratch, manifest, store, random }: Checked, controls: UnpackControls): Promise<void> {
  const { bytes } = sizeOf(manifest);
  if (bytes > manifest.restoredBytes * TRIAL_GROWTH) {
    await restoreOnTrial({ file, scratch, manifest, store, random }, controls);
    writePartsManifest(file, { ...manifest, restoredBytes: bytes });
    return;
  }
  const read = new Set<string>();
  for (const part of store.added) {
    read.add(part);
    await store.unpackOrDrop(part);
  }
  let left = REREAD_BYTES;
  for (const { part, list } of partsFrom(store, manifest, random.number())) {
    controls.signal?.throwIfAborted();
    if (read.has(part)) continue;
    read.add(part);
    if (left <= 0 || read.size >= store.added.length + REREAD_PARTS) return;
    // Without its list, the folder is looked at file by file the next time, and what is missing made anew.
    left -= await store.unpackOrDrop(part, list);
  }
}

/** When that fails, what went bad has to go, or the next backup would be built upon it and fail as well. */
async function restoreOnTrial({ file, scratch, manifest, store }: Checked, controls: UnpackControls): Promise<void> {
  try {
    await checkPartial(file, path.join(scratch, 'home'), controls);
  } catch (error) {
    if (isMnemeError(error))
      for (const { part, list } of partsFrom(store, manifest, 0)) await store.unpackOrDrop(part, list);
    throw error;
  }
}

/** Every part there is, beginning somewhere, each with the list that names it. */
function* partsFrom(
  store: PartStore,
  manifest: PartsManifest,
  start: number,
): Generator<{ readonly part: string; readonly list?: string | undefined }> {
  const { folders } = manifest;
  const total = folders.reduce((sum, { count }) => sum + count, 0);
  let before = Math.floor(start * total);
  const first = Math.max(
    0,
    folders.findIndex(({ count }) => (before -= count) < 0),
  );
  const histories = [...partsOfHistories(manifest).keys()];
  const chosen = Math.floor(start * histories.length * HISTORY_NIGHTS);
  for (const part of histories.slice(chosen, chosen + 1)) yield { part };
  for (const folder of [...folders.slice(first), ...folders.slice(0, first)]) {
    yield { part: folder.list };
    for (const part of partsOfFiles(readFolderList(store, folder)).keys()) yield { part, list: folder.list };
  }
  for (const part of [...histories.slice(0, chosen), ...histories.slice(chosen + 1)]) yield { part };
}

/** One whose list cannot be read is not built upon; the next is complete by itself. */
function findEarlier(folder: string, homeId: string): { earlier: PartsManifest | undefined; notes: string[] } {
  const name = partsNames(folder, homeId).at(-1);
  if (name === undefined) return { earlier: undefined, notes: [] };
  try {
    return { earlier: readPartsManifest(path.join(folder, name)), notes: [] };
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    return { earlier: undefined, notes: [`${name} cannot be built upon: ${errorMessage(error)}`] };
  }
}

function partsNames(folder: string, homeId: string): string[] {
  return sortArchives(fs.readdirSync(folder), homeId).filter((name) => parseArchiveName(name)?.form === 'parts');
}

/** Whether so much came since the last clearing that there may be much that nobody needs. */
export function areManySpare(parts: Made['parts'], folder: string, homeId: string): boolean {
  if (parts === undefined) return partsNames(folder, homeId).length === 0;
  return parts.added > parts.needed * SPARE_SHARE;
}

/** Clears away what no backup needs. */
export function tidyParts(folder: string, homeId: string): void {
  const store = PartStore.open(partsFolder(folder, homeId));
  const names = partsNames(folder, homeId);
  removeUnneeded(store, folder, names);
  const newest = names.at(-1);
  if (newest === undefined) return;
  const file = path.join(folder, newest);
  const manifest = { ...readPartsManifest(file), storeStamp: store.stamp, addedParts: 0 };
  writePartsManifest(`${file}${PARTIAL_SUFFIX}`, manifest);
  fs.renameSync(`${file}${PARTIAL_SUFFIX}`, file);
}

function addedBytes({ folder, added }: PartStore): number {
  return added.reduce((sum, part) => sum + fs.statSync(path.join(folder, part)).size, 0);
}

export interface BackupTarget {
  /** Where it is made, not yet under its name. */
  readonly file: string;
  readonly scratch: string;
  readonly homeId: string;
  readonly made: string;
}

/** The report about a finished backup. */
export interface Made {
  readonly files: number;
  readonly bytes: number;
  readonly notes: readonly string[];
  /** The number of parts needed, and of those added since the last clearing; undefined for a whole one. */
  readonly parts: { readonly needed: number; readonly added: number } | undefined;
}

/** Packing old transcripts may take away a file that was just noted; then the snapshot is taken again. */
const MAX_TRIES = 3;

export async function untilStill<T>(
  target: BackupTarget,
  controls: UnpackControls,
  body: () => Promise<T>,
): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    fs.mkdirSync(target.scratch, { recursive: true });
    try {
      return await body();
    } catch (error) {
      fs.rmSync(target.file, { force: true });
      const isMoved =
        isMnemeError(error, 'conflict') || (error instanceof Error && 'code' in error && error.code === 'ENOENT');
      if (!isMoved || tries >= MAX_TRIES || controls.signal?.aborted === true) throw error;
      fs.rmSync(target.scratch, { recursive: true, force: true });
    }
  }
}

export async function checkPartial(partial: string, home: string, controls: UnpackControls): Promise<void> {
  fs.mkdirSync(home, { recursive: true });
  try {
    await unpackHome(partial, home, controls);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}
