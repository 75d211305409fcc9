import fs from 'node:fs';
import path from 'node:path';
import { partsOf, type PartsManifest } from '../../maintain/backup/manifest.ts';
import { sortArchives } from '../../maintain/backup/retention.ts';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { parseArchiveName } from '../../workspace/erase/backup-archives.ts';
import type { Random } from '../../platform/random.ts';
import type { OperationContext } from '../context.ts';
import { checkPartial, untilStill, type BackupTarget, type Made } from './making.ts';
import { PartStore } from './part-store.ts';
import { partsFolder } from './places.ts';
import type { UnpackControls } from './unpack.ts';
import { readPartsManifest, removeUnneeded, writeParts, writePartsManifest } from './write-parts.ts';

/** Grown by this much since the last trial, a home is restored as a whole once more. */
const TRIAL_GROWTH = 1.25;
/** Of the parts that were there before, so much is read again each night, from another place each time. */
const REREAD_BYTES = 16 * 1024 * 1024;
const REREAD_PARTS = 200;
/** So many more parts than are needed may lie there until they are cleared away. */
const SPARE_SHARE = 1.25;

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
      writeParts({ workspace, hasTranscripts, ...target, ...controls, store, earlier }),
    );
    const { manifest } = written;
    writePartsManifest(file, manifest);
    if (config.backup.verify) await check({ file, scratch: target.scratch, manifest, store, random }, controls);
    const { length: files } = manifest.files;
    const bytes = fs.statSync(file).size + addedBytes(store);
    return { files, bytes, notes: [...notes, ...written.notes], partCount: partsOf(manifest).size };
  } catch (error) {
    fs.rmSync(file, { force: true });
    tidyParts(folder, homeId, 0);
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
  const parts = partsOf(manifest);
  const bytes = [...parts.values()].reduce((sum, size) => sum + size, 0);
  if (bytes > manifest.restoredBytes * TRIAL_GROWTH) {
    await checkPartial(file, path.join(scratch, 'home'), controls);
    writePartsManifest(file, { ...manifest, restoredBytes: bytes });
    return;
  }
  const added = new Set(store.added);
  for (const part of added) await store.unpackOrDrop(part);
  const others = [...parts.keys()].filter((part) => !added.has(part));
  const start = Math.floor(random.number() * others.length);
  let left = REREAD_BYTES;
  for (let index = 0; index < Math.min(others.length, REREAD_PARTS) && left > 0; index += 1) {
    controls.signal?.throwIfAborted();
    left -= await store.unpackOrDrop(others[(start + index) % others.length] ?? '');
  }
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

/** Clears away what no backup needs, once there is enough of it. */
export function tidyParts(folder: string, homeId: string, needed: number | undefined): void {
  const store = PartStore.open(partsFolder(folder, homeId));
  const names = partsNames(folder, homeId);
  if (store.count === 0 || (needed !== undefined && needed > 0 && store.count <= needed * SPARE_SHARE)) return;
  if (needed === undefined && names.length > 0) return;
  removeUnneeded(store, folder, names);
}

function addedBytes({ folder, added }: PartStore): number {
  return added.reduce((sum, part) => sum + fs.statSync(path.join(folder, part)).size, 0);
}
