import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { planRetention } from '../../maintain/backup/retention.ts';
import { parseArchiveName, PARTIAL_SUFFIX, serializeArchiveName } from '../../workspace/erase/backup-archives.ts';
import type { OperationContext } from '../context.ts';
import { makeFolder } from '../home/init.ts';
import { defineOperation } from '../operation.ts';
import { homeIdOf } from './home-id.ts';
import { backupFolder, backupLock, scratchFolder } from './places.ts';
import { unpackHome, type UnpackControls } from './unpack.ts';
import { writeArchive, type WrittenArchive } from './write-archive.ts';

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly made: string;
  readonly hasTranscripts: boolean;
  /** Whether it was restored into a scratch folder and compared. */
  readonly isVerified: boolean;
  /** Older backups that were removed. */
  readonly removed: readonly string[];
  readonly notes: readonly string[];
}

export const createBackup = defineOperation({
  name: 'backup create',
  summary: 'Put the whole memory into one file.',
  input: z.object({}),
  effect: 'write',
  run: (context): Promise<BackupResult> => runBackup(context),
});

export async function runBackup(context: OperationContext, controls: UnpackControls = {}): Promise<BackupResult> {
  const { workspace, config, home, clock, random } = context;
  const lock = ProcessLock.tryTake(backupLock(workspace.paths));
  if (lock === undefined) throw busyError(backupLock(workspace.paths));
  const scratch = path.join(scratchFolder(workspace.paths), String(process.pid));
  try {
    // Nobody else makes one now, so whatever is there was left by a crash.
    fs.rmSync(scratchFolder(workspace.paths), { recursive: true, force: true });
    const folder = backupFolder(home, config);
    makeBackupFolder(folder);
    const homeId = await homeIdOf(workspace.paths.journal, random);
    removePartials(folder, homeId);
    const made = new Date(clock.now()).toISOString();
    const file = freeName(folder, homeId, made);
    const partial = `${file}${PARTIAL_SUFFIX}`;
    const { manifest, notes } = await writeWhole(context, { file: partial, scratch, homeId, made }, controls);
    if (config.backup.verify) await checkPartial(partial, path.join(scratch, 'home'), controls);
    publish(partial, file, scratch);
    return {
      file,
      bytes: fs.statSync(file).size,
      files: manifest.files.length,
      made,
      hasTranscripts: manifest.hasTranscripts,
      isVerified: config.backup.verify,
      removed: removeOld(folder, homeId, config.backup.keep_count),
      notes,
    };
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

/** Packing old transcripts may take away a file that was just noted; then the snapshot is taken again. */
const MAX_TRIES = 3;

async function writeWhole(
  { workspace, config }: OperationContext,
  target: { readonly file: string; readonly scratch: string; readonly homeId: string; readonly made: string },
  controls: UnpackControls,
): Promise<WrittenArchive> {
  for (let tries = 1; ; tries += 1) {
    fs.mkdirSync(target.scratch, { recursive: true });
    try {
      return await writeArchive({
        workspace,
        hasTranscripts: config.backup.include_transcripts,
        ...target,
        ...controls,
      });
    } catch (error) {
      const isMoved =
        isMnemeError(error, 'conflict') || (error instanceof Error && 'code' in error && error.code === 'ENOENT');
      if (!isMoved || tries >= MAX_TRIES || controls.signal?.aborted === true) throw error;
      fs.rmSync(target.scratch, { recursive: true, force: true });
    }
  }
}

async function checkPartial(partial: string, home: string, controls: UnpackControls): Promise<void> {
  fs.mkdirSync(home, { recursive: true });
  try {
    await unpackHome(partial, home, controls);
  } catch (error) {
    fs.rmSync(partial, { force: true });
    throw error;
  }
}

/** An erasure removes scratch folders and partial archives: what was copied before it must not come back after it. */
function publish(partial: string, file: string, scratch: string): void {
  if (!fs.existsSync(scratch)) {
    fs.rmSync(partial, { force: true });
    throw new MnemeError('conflict', 'The backup was given up because something was erased meanwhile.', {
      hint: 'Make it again.',
    });
  }
  fs.renameSync(partial, file);
}

function busyError(lock: string): MnemeError {
  const holder = ProcessLock.findHolder(lock);
  return new MnemeError(
    'locked',
    `A backup is being made already${holder === undefined ? '' : ` by process ${holder}`}.`,
    {
      hint: 'Wait for it, then look at `mneme backup list`.',
    },
  );
}

function makeBackupFolder(folder: string): void {
  try {
    makeFolder(folder);
    if (!fs.statSync(folder).isDirectory()) throw new MnemeError('failure', `${folder} is a file, not a folder.`);
  } catch (error) {
    throw new MnemeError('failure', `The folder of the backups, ${folder}, cannot be made.`, {
      hint: 'Is its disk mounted? `mneme config get backup.path` shows where it is meant to be.',
      cause: error,
    });
  }
}

/** `20260216T040000Z` */
function compactTime(iso: string): string {
  return iso.replace(/\.\d+Z$/u, 'Z').replaceAll(/[-:]/gu, '');
}

function freeName(folder: string, homeId: string, made: string): string {
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, serializeArchiveName({ homeId, time: compactTime(made), number }));
    if (!fs.existsSync(file)) return file;
  }
}

export function removePartials(folder: string, homeId: string): void {
  for (const name of fs.readdirSync(folder)) {
    if (!name.endsWith(PARTIAL_SUFFIX)) continue;
    if (parseArchiveName(name.slice(0, -PARTIAL_SUFFIX.length))?.homeId !== homeId) continue;
    fs.rmSync(path.join(folder, name), { force: true });
  }
}

function removeOld(folder: string, homeId: string, keepCount: number): string[] {
  const old = planRetention(fs.readdirSync(folder), homeId, keepCount).map((name) => path.join(folder, name));
  for (const file of old) fs.rmSync(file, { force: true });
  return old;
}
