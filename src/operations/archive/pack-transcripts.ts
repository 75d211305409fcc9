import path from 'node:path';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import {
  ANNOUNCED_DAYS,
  type DeletionPlan,
  planTranscriptDeletion,
  planTranscriptPacking,
} from '../../maintain/retention/plan-packing.ts';
import { parseJson } from '../../model/records.ts';
import { DAY_MS } from '../../model/time.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Change } from '../../workspace/door/request.ts';
import {
  DELETED_MANIFEST,
  PACKED_MANIFEST,
  pack,
  packedName,
  plainName,
  readPacked,
  renderPackedLine,
} from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { unprocessed } from '../extract/waiting.ts';
import type { PackControls } from './pack.ts';

export interface PackedTranscripts {
  readonly packed: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  readonly notes: readonly string[];
}

/** A mutation holds both forms of its files in the journal. */
const BATCH = 20;

/** Relative to raw/, packed or not. */
export function listTranscripts({ workspace }: OperationContext): string[] {
  return nodeFileSystem
    .listFiles(path.join(workspace.paths.repositories.raw.workTree, 'conversations'))
    .map((file) => `conversations/${file.replaceAll(path.sep, '/')}`);
}

/** Those in days that are not packed as a whole: the longer a home is used, the more days are. */
function listUnpacked({ workspace, parts }: OperationContext): string[] {
  const root = path.join(workspace.paths.repositories.raw.workTree, 'conversations');
  return parts.settledFolders.listOthers(root).map((file) => `conversations/${file}`);
}

/** Relative to raw/, oldest first. */
export function findTranscriptsToPack(context: OperationContext): readonly string[] {
  const { config, clock } = context;
  return planTranscriptPacking(listUnpacked(context), clock.now(), config.retention.sessions.compress_after_days);
}

/**
 * Packs transcripts where they are. The hash of the words stays in a manifest, so that what vouches for a transcript
 * goes on doing so; everything that reads one unpacks it.
 */
export async function packTranscripts(
  { workspace, clock }: OperationContext,
  paths: readonly string[],
  { signal, onProgress }: PackControls,
): Promise<PackedTranscripts> {
  const raw = workspace.paths.repositories.raw.workTree;
  const done = { packed: [] as string[], bytesBefore: 0, bytesAfter: 0, notes: [] as string[] };
  const packBatch = async (files: readonly string[]): Promise<void> => {
    const { changes, lines, ...packed } = planBatch(raw, files, clock.now());
    if (changes.length > 0) {
      await workspace.commit({
        repository: 'raw',
        actor: 'system:retention',
        approval: 'auto',
        trigger: 'retention',
        action: 'ARCHIVE',
        summary: `packed ${lines.length === 1 ? 'a conversation' : `${lines.length} conversations`}`,
        changes: [...changes, { path: PACKED_MANIFEST, append: Buffer.from(lines.join(''), 'utf8') }],
      });
    }
    done.packed.push(...packed.packed);
    done.notes.push(...packed.notes);
    done.bytesBefore += packed.bytesBefore;
    done.bytesAfter += packed.bytesAfter;
  };
  for (let at = 0; at < paths.length; at += BATCH) {
    signal?.throwIfAborted();
    onProgress?.(`transcript ${at + 1} of ${paths.length}`);
    const files = paths.slice(at, at + BATCH);
    try {
      await packBatch(files);
    } catch (error) {
      // The write path first completes what a killed run had acknowledged; a second look then finds these packed.
      if (!isMnemeError(error) || error.code !== 'refused') throw error;
      await packBatch(files);
    }
  }
  return done;
}

interface PlannedBatch extends PackedTranscripts {
  readonly changes: readonly Change[];
  /** For the manifest. */
  readonly lines: readonly string[];
}

function planBatch(raw: string, files: readonly string[], nowMs: number): PlannedBatch {
  const planned = { packed: [] as string[], bytesBefore: 0, bytesAfter: 0, notes: [] as string[] };
  const changes: Change[] = [];
  const lines: string[] = [];
  for (const file of files) {
    const bytes = nodeFileSystem.read(path.join(raw, file));
    if (bytes === undefined) continue;
    // An earlier run that was killed in between may have left both; the write path never overwrites one of its files.
    if (nodeFileSystem.exists(path.join(raw, packedName(file)))) {
      planned.notes.push(`raw/${packedName(file)} is there already; raw/${file} was left as it is.`);
      continue;
    }
    const packed = pack(bytes);
    changes.push(
      { path: packedName(file), content: packed, base: undefined },
      { path: file, content: undefined, base: bytes },
    );
    lines.push(renderPackedLine({ path: file, sha256: hash('sha256', bytes), bytes: bytes.length, at: nowMs }));
    planned.packed.push(file);
    planned.bytesBefore += bytes.length;
    planned.bytesAfter += packed.length;
  }
  return { ...planned, changes, lines };
}

const announcements = z.record(z.string(), z.number());

/** Only where `retention.sessions.delete_after_days` is a number; relative to raw/, oldest first. */
export function findTranscriptsToDelete(context: OperationContext): DeletionPlan {
  const days = context.config.retention.sessions.delete_after_days;
  if (days === null) return { due: [], waiting: [], spared: [] };
  return planTranscriptDeletion(listTranscripts(context), {
    nowMs: context.clock.now(),
    days,
    announced: readAnnounced(context),
    unlearned: new Set(unprocessed(context)),
  });
}

/** Reports transcripts kept beyond their age, because nothing was learned from them yet. */
export function tellSpared({ spared }: DeletionPlan): readonly string[] {
  if (spared.length === 0) return [];
  const what = spared.length === 1 ? 'A transcript is' : `${spared.length} transcripts are`;
  return [
    `${what} older than retention.sessions.delete_after_days and kept, because nothing was learned from ` +
      `${spared.length === 1 ? 'it' : 'them'} yet: mneme learn extract`,
  ];
}

/** Writes down what is to go, so that it can be read and stopped before it does; without the setting, forgets it. */
export function announceDeletion(context: OperationContext, { waiting }: DeletionPlan): readonly string[] {
  const { clock, workspace } = context;
  const known = readAnnounced(context);
  if (waiting.length === 0 && known.size === 0) return [];
  const next = Object.fromEntries(waiting.map((file) => [plainName(file), known.get(plainName(file)) ?? clock.now()]));
  nodeFileSystem.write(announcedFile(workspace.paths), Buffer.from(`${JSON.stringify(next, undefined, 1)}\n`));
  if (waiting.length === 0) return [];
  const firstMs = Math.min(...Object.values(next)) + ANNOUNCED_DAYS * DAY_MS;
  const date = new Date(firstMs).toISOString().slice(0, 10);
  const what = waiting.length === 1 ? 'A transcript is' : `${waiting.length} transcripts are`;
  return [
    `${what} older than retention.sessions.delete_after_days and will be deleted from ${date} on; ` +
      'see them: mneme archive pack --dry-run, keep them: mneme config set retention.sessions.delete_after_days null',
  ];
}

/** Each goes together with a line that keeps its hash; what vouches for it goes on doing so, and the history has it. */
export async function deleteTranscripts(
  { workspace, clock }: OperationContext,
  paths: readonly string[],
  { signal, onProgress }: PackControls,
): Promise<void> {
  const raw = workspace.paths.repositories.raw.workTree;
  for (let at = 0; at < paths.length; at += BATCH) {
    signal?.throwIfAborted();
    onProgress?.(`deleting transcript ${at + 1} of ${paths.length}`);
    const changes: Change[] = [];
    const lines: string[] = [];
    for (const file of paths.slice(at, at + BATCH)) {
      const words = readPacked(nodeFileSystem, path.join(raw, plainName(file)));
      const bytes = nodeFileSystem.read(path.join(raw, file));
      if (words === undefined || bytes === undefined) continue;
      const told = { path: plainName(file), sha256: hash('sha256', words), bytes: words.length, at: clock.now() };
      lines.push(renderPackedLine(told));
      changes.push({ path: file, content: undefined, base: bytes });
    }
    if (changes.length === 0) continue;
    await workspace.commit({
      repository: 'raw',
      actor: 'system:retention',
      approval: 'auto',
      trigger: 'retention delete_after_days',
      action: 'DELETE',
      summary: `deleted ${lines.length === 1 ? 'a conversation' : `${lines.length} conversations`} by age`,
      changes: [...changes, { path: DELETED_MANIFEST, append: Buffer.from(lines.join(''), 'utf8') }],
    });
  }
}

function readAnnounced({ workspace }: OperationContext): ReadonlyMap<string, number> {
  const text = nodeFileSystem.read(announcedFile(workspace.paths))?.toString('utf8');
  const parsed = text === undefined ? undefined : announcements.safeParse(parseJson(text)).data;
  return new Map(Object.entries(parsed ?? {}));
}

function announcedFile({ journal }: { readonly journal: string }): string {
  return path.join(journal, 'deletion-announced.json');
}
