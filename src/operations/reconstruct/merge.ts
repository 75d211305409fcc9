import path from 'node:path';
import { z } from 'zod';
import { mergeItems, type MergedText } from '../../maintain/reconstruct/compare-items.ts';
import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import { changesBetween, readFileAt } from '../../workspace/git/objects.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { branchOf } from './places.ts';
import { type BothSides, RECONSTRUCTOR, unfinished, withBothSides } from './prepare.ts';
import { writeRecord } from './record.ts';

/** A proposal is one file, and read by a person. */
const MAX_CHANGES = 200;
const MAX_BYTES = 1024 * 1024;

export interface ProposedReconstruction {
  readonly name: string;
  /** One, or several where there is too much for one; empty when it found what is known. */
  readonly proposals: readonly string[];
  readonly files: readonly string[];
  readonly added: number;
  readonly gone: number;
  readonly notes: readonly string[];
}

export const mergeReconstruction = defineVerb({
  name: 'reconstruct merge',
  summary: 'Propose to take over what a reconstruction found.',
  input: z.strictObject({ name: z.string().trim().min(1) }),
  args: ['name'],
  effect: 'write',
  run: (context, { name }): Promise<ProposedReconstruction> =>
    withBothSides(context, name, (sides) => propose(context, sides)),
  http: { isLong: true },
  cli: { path: 'learn reconstruct merge', formerly: ['reconstruct merge'], notes: ({ notes }) => notes },
  render: async (view, output) => (await import('./render.ts')).renderMerged(view, output),
});

async function propose(context: OperationContext, sides: BothSides): Promise<ProposedReconstruction> {
  const { record, comparison, places, done } = sides;
  const { name, sessions } = record;
  if (done < sessions.length) throw unfinished(name, `${sessions.length - done} conversations are left`);
  const open = record.proposals.filter((id) =>
    context.proposals.list({ state: 'pending' }).proposals.some((each) => each.id === id),
  );
  if (open.length > 0) {
    throw new MnemeError('conflict', `${name} waits for a decision already.`, {
      hint: `mneme proposals show ${open[0] ?? ''}`,
    });
  }
  const read = (root: string) => (file: string) => nodeFileSystem.read(path.join(root, file))?.toString('utf8');
  const texts = mergeItems(comparison, {
    layout: context.layout,
    readNow: read(context.workspace.root),
    readThen: read(sides.scratch.workspace.root),
  });
  const diaries = record.extractors.includes('journal') ? await diariesOf(context, sides) : NO_DIARIES;
  const files = [...texts, ...diaries.texts];
  const groups = splitUp(files);
  const ids: string[] = [];
  for (const [index, group] of groups.entries()) {
    const part = groups.length === 1 ? '' : ` (part ${index + 1} of ${groups.length})`;
    const { id } = await context.proposals.propose({
      kind: 'reconstruction',
      title: `take over what the reconstruction ${name} found${part}`,
      why: `${record.versions.join(', ')}${record.model === null ? '' : ` with ${record.model}`} looked at ${sessions.length} conversations again: ${comparison.added.length} statements are new, ${comparison.gone.length} were not found again, ${comparison.same.length} are as they were. \`mneme learn reconstruct compare ${name}\` shows them.`,
      evidence: [branchOf(name)],
      actor: RECONSTRUCTOR,
      trust: 'agent',
      trigger: `reconstruct merge ${name}`,
      changes: group.map(({ path: file, before, after }) => ({ path: file, before, after })),
    });
    ids.push(id);
  }
  if (ids.length > 0) writeRecord(places, { ...record, state: 'proposed', proposals: ids });
  return {
    name,
    proposals: ids,
    files: files.map((file) => file.path),
    added: comparison.added.length,
    gone: comparison.gone.length,
    notes: diaries.notes,
  };
}

const NO_DIARIES: { readonly texts: readonly MergedText[]; readonly notes: readonly string[] } = {
  texts: [],
  notes: [],
};

/** Days told anew, where nobody has written into them since. */
async function diariesOf(
  context: OperationContext,
  { record, scratch }: BothSides,
): Promise<{ readonly texts: readonly MergedText[]; readonly notes: readonly string[] }> {
  const git = context.workspace.git.workspace;
  const changed = await changesBetween(git, record.base, `refs/heads/${branchOf(record.name)}`);
  const texts: MergedText[] = [];
  let kept = 0;
  for (const { path: file } of changed) {
    if (kindOfPath(file, context.layout) !== 'journal') continue;
    const read = (root: string): string | undefined => nodeFileSystem.read(path.join(root, file))?.toString('utf8');
    const [before, after] = [read(context.workspace.root), read(scratch.workspace.root)];
    const base = (await readFileAt(git, record.base, file))?.toString('utf8');
    if (after === undefined || after === before) continue;
    if (before === base) texts.push({ path: file, before, after });
    else kept += 1;
  }
  const notes = kept === 0 ? [] : [`${kept} days were written into since, and stay as they are.`];
  return { texts, notes };
}

function splitUp(files: readonly MergedText[]): MergedText[][] {
  const groups: MergedText[][] = [];
  let bytes = 0;
  for (const file of files) {
    const size = file.after.length + (file.before?.length ?? 0);
    const group = groups.at(-1);
    if (group === undefined || group.length >= MAX_CHANGES || bytes + size > MAX_BYTES) {
      groups.push([file]);
      bytes = size;
    } else {
      group.push(file);
      bytes += size;
    }
  }
  return groups;
}
