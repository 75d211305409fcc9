import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { damaged } from '../../maintain/backup/tar/header.ts';
import { MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import {
  type ArchiveForm,
  PARTIAL_SUFFIX,
  parseArchiveName,
  planRetention,
  serializeArchiveName,
} from '../../workspace/erase/backup-archives.ts';
import type { OperationContext } from '../context.ts';
import { allRecipients, getIdentities } from '../history/sealed/key.ts';
import { openFile, sealFile } from '../history/sealed/seal.ts';
import { makeFolder } from '../home/init.ts';
import { countOf, showBytes } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';
import { backupFolder, backupLock, homeIdOf, scratchFolder } from './places.ts';
import type { UnpackControls } from './unpack.ts';
import {
  type BackupTarget,
  type Made,
  areManySpare,
  checkPartial,
  makeOfParts,
  tidyParts,
  untilStill,
} from './create-parts.ts';
import { writeArchive } from './write-archive.ts';

const SCOPES_FOLDER = 'memory/scopes';

/** In the clear below `state/` first, where the home itself lies in the clear: only what leaves it has to be sealed. */
async function makeSealed(
  context: OperationContext,
  target: BackupTarget,
  { makePlain, onProgress }: UnpackControls & { readonly makePlain: (target: BackupTarget) => Promise<Made> },
): Promise<Made> {
  const recipients = await allRecipients(context);
  const plain = `${target.scratch}.tar.gz`;
  const opened = `${target.scratch}.opened.tar.gz`;
  try {
    const made = await makePlain({ ...target, file: plain });
    onProgress?.('sealing');
    await sealFile(recipients, plain, target.file);
    await openFile(getIdentities(context), target.file, opened);
    if (!isSameFile(plain, opened)) throw damaged('it is another once it was sealed and opened again');
    return { ...made, bytes: fs.statSync(target.file).size };
  } catch (error) {
    fs.rmSync(target.file, { force: true });
    throw error;
  } finally {
    fs.rmSync(plain, { force: true });
    fs.rmSync(opened, { force: true });
  }
}

function isSameFile(one: string, other: string): boolean {
  return hashFile(one) === hashFile(other);
}

function hashFile(file: string): string {
  const digest = createHash('sha256');
  const descriptor = fs.openSync(file, 'r');
  const piece = Buffer.alloc(1024 * 1024);
  try {
    for (let read = fs.readSync(descriptor, piece); read > 0; read = fs.readSync(descriptor, piece)) {
      digest.update(piece.subarray(0, read));
    }
  } finally {
    fs.closeSync(descriptor);
  }
  return digest.digest('hex');
}

/** A backup goes to other disks and other people's; whoever has private scopes should hear that they go along. */
function tellOfPrivateScopes({ workspace }: OperationContext): string[] {
  const folder = path.join(workspace.root, SCOPES_FOLDER);
  if (!fs.existsSync(folder) || fs.readdirSync(folder).length === 0) return [];
  return [
    `It holds private scopes (${SCOPES_FOLDER}/) in the clear; \`mneme backup create --encrypt\` seals it, and backup.encrypt every one.`,
  ];
}

export interface BackupResult {
  readonly file: string;
  readonly bytes: number;
  readonly files: number;
  readonly made: string;
  readonly hasTranscripts: boolean;
  /** Whether it was restored into a scratch folder and compared. */
  readonly isVerified: boolean;
  readonly isEncrypted: boolean;
  /** Older backups that were removed. */
  readonly removed: readonly string[];
  readonly notes: readonly string[];
}

export const createBackup = defineVerb({
  name: 'backup create',
  summary: 'Put the whole memory into one file, or add what is new to the parts of the last backup.',
  description:
    'Put the whole memory into one file, or add what is new to the parts of the last backup. Others may go on writing meanwhile. The oldest beyond backup.keep_count go.',
  examples: ['mneme backup create', 'mneme backup create --encrypt'],
  input: z.object({
    incremental: z
      .boolean()
      .default(false)
      .describe('Store only what is new since the last incremental one, as the nightly job does.'),
    encrypt: z
      .boolean()
      .optional()
      .describe('Encrypt it for the keys of `mneme sync keys`; backup.encrypt when not given.'),
  }),
  effect: 'write',
  withoutLease: 'own',
  run: (context, given, controls?: UnpackControls): Promise<BackupResult> =>
    runBackup(context, { ...controls, form: chooseForm(context, given) }),
  http: { isLong: true },
  cli: {
    extra: { noEncrypt: { flags: '--no-encrypt', help: 'leave it unencrypted although backup.encrypt is on' } },
    controls: ({ signal, report }) => ({ signal, onProgress: report }),
  },
  render,
});

function render({ style }: View, result: BackupResult): string {
  const checked = `${result.isEncrypted ? ', sealed' : ''}${result.isVerified ? ', checked' : ''}`;
  const lines = [
    `${style.green('Backed up')} ${countOf(result.files, 'file')} to ${result.file} (${showBytes(result.bytes)}${checked})`,
    ...(result.hasTranscripts ? [] : [style.dim('Without transcripts (backup.include_transcripts).')]),
    ...result.removed.map((file) => style.dim(`removed ${path.basename(file)}`)),
    ...result.notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** The requested form, or else the one in the settings. */
function chooseForm(
  { config }: Pick<OperationContext, 'config'>,
  {
    incremental = false,
    encrypt,
  }: { readonly incremental?: boolean | undefined; readonly encrypt?: boolean | undefined },
): ArchiveForm {
  if (incremental && encrypt === true) {
    throw new MnemeError(
      'usage',
      'An incremental backup cannot be sealed: its parts are shared and named by their content.',
      {
        hint: 'Leave out --incremental, or --encrypt.',
      },
    );
  }
  if (incremental) return 'parts';
  return (encrypt ?? config.backup.encrypt) ? 'sealed' : 'whole';
}

export interface BackupControls extends UnpackControls {
  readonly form?: ArchiveForm | undefined;
}

export async function runBackup(
  context: OperationContext,
  { form = 'whole', ...controls }: BackupControls = {},
): Promise<BackupResult> {
  const { workspace, config, home, clock, random } = context;
  const lock = ProcessLock.tryTake(backupLock(workspace.paths));
  if (lock === undefined) throw busyError(backupLock(workspace.paths));
  const scratch = path.join(scratchFolder(workspace.paths), String(process.pid));
  try {
    // No other process makes one now, so any files there were left by a crash.
    fs.rmSync(scratchFolder(workspace.paths), { recursive: true, force: true });
    const folder = backupFolder(home, config);
    makeBackupFolder(folder);
    const homeId = await homeIdOf(workspace.paths.journal, random);
    removePartials(folder, homeId);
    const made = new Date(clock.now()).toISOString();
    const file = freeName(folder, homeId, made, form);
    const target = { file: `${file}${PARTIAL_SUFFIX}`, scratch, homeId, made };
    const written = await make(context, form, { ...target, folder }, controls);
    publish(target.file, file, scratch);
    const removed = removeOld(folder, homeId, config.backup.keep_count);
    if (areManySpare(written.parts, folder, homeId)) tidyParts(folder, homeId);
    return {
      file,
      bytes: written.bytes,
      files: written.files,
      made,
      hasTranscripts: config.backup.include_transcripts,
      isVerified: true,
      isEncrypted: form === 'sealed',
      removed,
      notes: [...written.notes, ...(form === 'sealed' ? [] : tellOfPrivateScopes(context))],
    };
  } finally {
    fs.rmSync(scratch, { recursive: true, force: true });
    lock.release();
  }
}

function make(
  context: OperationContext,
  form: ArchiveForm,
  target: BackupTarget & { readonly folder: string },
  controls: UnpackControls,
): Promise<Made> {
  if (form === 'parts') return makeOfParts(context, target, controls);
  if (form === 'whole') return makeWhole(context, target, controls);
  return makeSealed(context, target, { ...controls, makePlain: (plain) => makeWhole(context, plain, controls) });
}

async function makeWhole(context: OperationContext, target: BackupTarget, controls: UnpackControls): Promise<Made> {
  const { workspace, config, parts } = context;
  const { manifest, notes } = await untilStill(target, controls, () =>
    writeArchive({
      workspace,
      settled: parts.settledFolders,
      hasTranscripts: config.backup.include_transcripts,
      ...target,
      ...controls,
    }),
  );
  await checkPartial(target.file, path.join(target.scratch, 'home'), controls);
  return { files: manifest.files.length, bytes: fs.statSync(target.file).size, notes, parts: undefined };
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

function freeName(folder: string, homeId: string, made: string, form: ArchiveForm): string {
  for (let number = 1; ; number += 1) {
    const file = path.join(folder, serializeArchiveName({ homeId, time: compactTime(made), number, form }));
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
