import path from 'node:path';
import { z } from 'zod';
import { type ArchivedFile, indexChanges, listArchive } from '../../memory/archive/list-archive.ts';
import { planArchiveUpkeep } from '../../maintain/retention/plan-packing.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { chunkFile } from '../../search-index/chunk/chunk-file.ts';
import { PINNED_TAG } from '../../search-index/passage.ts';
import { type Change, underPermit } from '../../workspace/door/request.ts';
import { pack, packedName, readPacked } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { countOf, showBytes } from '../command-line/plain.ts';
import type { View } from '../command-line/style.ts';
import { defineVerb } from '../verb.ts';
import { permitOf, whyPropose } from '../writer-gate.ts';
import {
  type PackedTranscripts,
  announceDeletion,
  deleteTranscripts,
  findTranscriptsToDelete,
  findTranscriptsToPack,
  packTranscripts,
  tellSpared,
} from './pack-transcripts.ts';
import { AGES } from '../../maintain/retention/ages.ts';

const input = z.object({
  dryRun: z.boolean().default(false).describe('Only show what would be packed and deleted.'),
});

export type ArchivePackInput = z.input<typeof input>;

export interface ArchivePacked {
  readonly isDryRun: boolean;
  /** Files of the archive, by their plain names. */
  readonly packed: readonly string[];
  /** Deleted by an age somebody set; the history still has them. */
  readonly deleted: readonly string[];
  /** Over that age, and kept: pinned or important. */
  readonly spared: readonly string[];
  readonly transcripts: readonly string[];
  /** Transcripts over the age somebody set: those that go, and those that are announced first. */
  readonly deletedTranscripts: readonly string[];
  readonly announcedTranscripts: readonly string[];
  /** Over that age, and kept: nothing was learned from them yet. */
  readonly sparedTranscripts: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly notes: readonly string[];
}

export interface PackControls {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export const archivePack = defineVerb({
  name: 'archive pack',
  summary: 'Pack what is old: archived files and transcripts. Deletes only by an age that somebody has set.',
  description:
    'Pack what is old: archived files and transcripts. Deletes only by an age that you have set. A daemon does this every night.',
  input,
  effect: 'write',
  withoutLease: 'asks',
  run: (context, given, controls?: PackControls): Promise<ArchivePacked> => runPack(context, given, controls),
  http: { isLong: true },
  cli: { controls: ({ signal, report }) => ({ signal, onProgress: report }) },
  render,
});

function render({ style }: View, result: ArchivePacked): string {
  const { packed, transcripts, deleted, spared, isDryRun, bytesBefore, bytesAfter, notes } = result;
  const { deletedTranscripts, announcedTranscripts, sparedTranscripts } = result;
  const what = `${countOf(packed.length, 'archived file')} and ${countOf(transcripts.length, 'transcript')}`;
  const sizes = bytesBefore === 0 ? '' : ` (${showBytes(bytesBefore)} became ${showBytes(bytesAfter)})`;
  const lines = [
    isDryRun ? `Would pack ${what}.` : `${style.green('Packed')} ${what}${sizes}.`,
    ...(isDryRun ? [...packed, ...transcripts.map((file) => `raw/${file}`)].map((file) => style.dim(`  ${file}`)) : []),
    ...deleted.map((file) => `${style.red(isDryRun ? 'would delete' : 'deleted')} ${file}`),
    ...deletedTranscripts.map((file) => `${style.red(isDryRun ? 'would delete' : 'deleted')} raw/${file}`),
    ...(isDryRun
      ? announcedTranscripts.map((file) => `${style.yellow('too old, goes a week after it is announced')} raw/${file}`)
      : []),
    ...(isDryRun ? sparedTranscripts.map((file) => `${style.yellow('kept')} raw/${file}: not learned from yet`) : []),
    ...spared.map((file) => `${style.yellow('kept')} ${file}: pinned or important, whatever its age`),
    ...notes.map((note) => `${style.yellow('note')} ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Number of archive files in one mutation. */
const BATCH = 100;
const ACTOR = 'system:retention';

export async function runPack(
  context: OperationContext,
  { dryRun = false }: ArchivePackInput,
  controls: PackControls = {},
): Promise<ArchivePacked> {
  const lock = dryRun ? undefined : takeLock(context);
  try {
    return await planAndPack(context, dryRun, controls);
  } finally {
    lock?.release();
  }
}

/** Two at once would pack the same files, and the slower one would find them gone. */
function takeLock({ workspace }: OperationContext): ProcessLock {
  const file = path.join(workspace.paths.state, 'packing.lock');
  const lock = ProcessLock.tryTake(file);
  if (lock !== undefined) return lock;
  throw new MnemeError('locked', `Process ${ProcessLock.findHolder(file) ?? '?'} is packing this home already.`, {
    hint: 'Wait for it; nothing has to be done twice.',
  });
}

async function planAndPack(context: OperationContext, dryRun: boolean, controls: PackControls): Promise<ArchivePacked> {
  const { config, layout, workspace, clock } = context;
  const { files } = listArchive(nodeFileSystem, workspace.root);
  const elsewhere = dryRun ? undefined : await whyPropose(context);
  const plan = planArchiveUpkeep(elsewhere === undefined ? files : [], clock.now(), {
    retention: config.retention,
    layout,
  });
  const spared = plan.delete.filter((file) => isSpared(context, file)).map((file) => file.path);
  const gone = plan.delete.filter((file) => !spared.includes(file.path));
  const deletion = findTranscriptsToDelete(context);
  const transcripts = findTranscriptsToPack(context).filter((file) => !deletion.due.includes(file));
  const shown = {
    packed: plan.pack.map((file) => file.path),
    deleted: gone.map((file) => file.path),
    spared,
    deletedTranscripts: deletion.due,
    announcedTranscripts: deletion.waiting,
    sparedTranscripts: deletion.spared,
  };
  if (dryRun) {
    return { ...shown, isDryRun: true, transcripts, bytesBefore: 0, bytesAfter: 0, notes: tellSpared(deletion) };
  }
  const upkeep = { files, pack: plan.pack, gone, transcripts };
  const done =
    elsewhere === undefined
      ? await underPermit(permitOf(context), () => carryOut(context, upkeep, controls))
      : await packOwn(context, transcripts, elsewhere, controls);
  await deleteTranscripts(context, deletion.due, controls);
  const announced = announceDeletion(context, deletion);
  return { ...shown, isDryRun: false, ...done, notes: [...done.notes, ...announced, ...tellSpared(deletion)] };
}

interface Upkeep {
  readonly files: readonly ArchivedFile[];
  readonly pack: readonly ArchivedFile[];
  readonly gone: readonly ArchivedFile[];
  readonly transcripts: readonly string[];
}

type Done = Pick<ArchivePacked, 'transcripts' | 'bytesBefore' | 'bytesAfter' | 'notes'>;

async function carryOut(
  context: OperationContext,
  { files, pack: wanted, gone, transcripts }: Upkeep,
  controls: PackControls,
): Promise<Done> {
  const sizes = await packArchive(context, files, wanted, controls);
  await deleteFiles(context, gone);
  const isUnchanged = wanted.length === 0 && gone.length === 0;
  await refreshIndex(context, isUnchanged ? files : listArchive(nodeFileSystem, context.workspace.root).files);
  const done: PackedTranscripts = await packTranscripts(context, transcripts, controls);
  return {
    transcripts: done.packed,
    bytesBefore: sizes.before + done.bytesBefore,
    bytesAfter: sizes.after + done.bytesAfter,
    notes: done.notes,
  };
}

/** Transcripts are this machine's, whoever writes the memory. */
async function packOwn(
  context: OperationContext,
  transcripts: readonly string[],
  reason: string,
  controls: PackControls,
): Promise<Done> {
  const { packed, bytesBefore, bytesAfter, notes } = await packTranscripts(context, transcripts, controls);
  return { transcripts: packed, bytesBefore, bytesAfter, notes: [`${reason} It packs the archive.`, ...notes] };
}

async function packArchive(
  context: OperationContext,
  all: readonly ArchivedFile[],
  wanted: readonly ArchivedFile[],
  { signal, onProgress }: PackControls,
): Promise<{ readonly before: number; readonly after: number }> {
  const sizes = { before: 0, after: 0 };
  const entries = new Map(all.map((file) => [file.path, file]));
  for (let at = 0; at < wanted.length; at += BATCH) {
    signal?.throwIfAborted();
    onProgress?.(`archived file ${at + 1} of ${wanted.length}`);
    const batch = wanted.slice(at, at + BATCH);
    const changes: Change[] = [];
    for (const file of batch) {
      const bytes = nodeFileSystem.read(path.join(context.workspace.root, file.path));
      if (bytes === undefined) continue;
      const packed = pack(bytes);
      sizes.before += bytes.length;
      sizes.after += packed.length;
      changes.push(
        { path: packedName(file.path), content: packed, base: undefined },
        { path: file.path, content: undefined, base: bytes },
      );
      entries.set(file.path, { ...file, packed: true, bytes: bytes.length });
    }
    await context.workspace.commit({
      actor: ACTOR,
      approval: 'auto',
      trigger: 'retention',
      action: 'ARCHIVE',
      summary: `packed ${batch.length === 1 ? 'an archived file' : `${batch.length} archived files`}`,
      changes: [...changes, ...indexChanges([...entries.values()], [])],
    });
  }
  return sizes;
}

async function deleteFiles({ workspace }: OperationContext, gone: readonly ArchivedFile[]): Promise<void> {
  for (let at = 0; at < gone.length; at += BATCH) {
    const batch = gone.slice(at, at + BATCH);
    await workspace.commit({
      actor: ACTOR,
      approval: 'auto',
      trigger: 'retention delete_after_days',
      action: 'DELETE',
      summary: `deleted ${batch.length === 1 ? 'an archived file' : `${batch.length} archived files`} by age`,
      changes: batch.map((file): Change => {
        const name = file.packed ? packedName(file.path) : file.path;
        return { path: name, content: undefined, base: nodeFileSystem.read(path.join(workspace.root, name)) };
      }),
    });
  }
}

/** Other ways into the archive leave its tables of contents alone; here they are brought up to date. */
async function refreshIndex({ workspace }: OperationContext, files: readonly ArchivedFile[]): Promise<void> {
  const changes = indexChanges(files, []).filter(
    (change) => 'edit' in change && change.edit(undefined) !== textOf(workspace.root, change.path),
  );
  if (changes.length === 0) return;
  const summary = 'table of contents of the archive';
  await workspace.commit({ actor: ACTOR, approval: 'auto', trigger: 'retention', summary, changes });
}

function textOf(root: string, file: string): string | undefined {
  return nodeFileSystem.read(path.join(root, file))?.toString('utf8');
}

/** True for pinned or highly rated items, which are never deleted by age (S1 §10.1). */
function isSpared({ workspace, chunkContext }: OperationContext, file: ArchivedFile): boolean {
  const text = readPacked(nodeFileSystem, path.join(workspace.root, file.path))?.toString('utf8') ?? '';
  const document = chunkFile({ source: 'workspace', path: file.path, text, hash: '' }, chunkContext);
  return (document?.passages ?? []).some(
    ({ tags, importance }) => tags.includes(PINNED_TAG) || (importance ?? 0) >= AGES.highMin,
  );
}
