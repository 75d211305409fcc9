import path from 'node:path';
import { hash } from 'node:crypto';
import { z } from 'zod';
import { ANNOUNCED_DAYS, planTranscriptDeletion, type DeletionPlan } from '../../maintain/retention/plan-packing.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Change } from '../../workspace/door/request.ts';
import { DELETED_MANIFEST, plainName, readPacked, renderPackedLine } from '../../workspace/packed.ts';
import type { OperationContext } from '../context.ts';
import { unprocessed } from '../extract/waiting.ts';
import type { PackControls } from './pack.ts';
import { listTranscripts } from './pack-transcripts.ts';
import { parseJson } from '../../model/records.ts';
import { DAY_MS } from '../../model/time.ts';

const BATCH = 20;
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
