import { z } from 'zod';
import { draftMerge, draftSplit } from '../../memory/graph/plans/merge.ts';
import { timestamp } from '../../memory/stores/plan.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { entityField, nameOf, scopeField, type EntityName, type OpenGraph, showWarnings } from './open-graph.ts';
import { fileProposal, type Filed } from './write-plans.ts';

const mergeInput = z.strictObject({
  from: entityField.describe('Who is given up; the file stays as a sign to the other.'),
  into: entityField.describe('Who remains.'),
  why: z.string().trim().min(1).max(1000).optional().describe('The reason, for whoever decides.'),
  scope: scopeField,
});

export type GraphMergeInput = z.input<typeof mergeInput>;

export interface MergeProposed extends Filed {
  readonly from: EntityName;
  readonly into: EntityName;
  /** The number of facts, tasks, decisions and relations that would move. */
  readonly moved: number;
  readonly notes: readonly string[];
}

export const graphMerge = defineVerb({
  name: 'graph merge',
  summary: 'Propose that two entities are one.',
  description: 'Propose that two entities are one. Nothing changes before it is approved.',
  input: mergeInput,
  args: ['from', 'into'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<MergeProposed> {
    const open = await context.parts.graph();
    const from = open.graph.get(given.from, { scope: given.scope });
    const into = open.graph.get(given.into, { scope: given.scope });
    return proposeMerge(context, open, { from, into, why: given.why ?? 'They are one and the same.', evidence: [] });
  },
  cli: { options: { scope: { value: 'scope' } }, notes: showWarnings },
  render: async (view, output) => (await import('./render-changes.ts')).renderMergeProposed(view, output),
});

export interface MergeWish {
  readonly from: EntityRecord;
  readonly into: EntityRecord;
  readonly why: string;
  readonly evidence: readonly string[];
  readonly confidence?: 'high' | 'medium' | 'low' | undefined;
}

export async function proposeMerge(
  context: OperationContext,
  { parts }: OpenGraph,
  { from, into, why, evidence, confidence }: MergeWish,
): Promise<MergeProposed> {
  const texts = new Map<string, string>();
  for (const { path } of [from, into]) texts.set(path, await readWorkspaceText(context, path));
  const readText = (path: string): string => texts.get(path) ?? '';
  const draft = draftMerge({ from, into, readText, now: timestamp(parts) });
  const filed = await fileProposal(context, {
    kind: 'merge',
    title: `Merge ${from.name} (${from.id}) into ${into.name} (${into.id})`,
    why: [why, ...draft.notes].join(' '),
    evidence: [from.path, into.path, ...evidence],
    changes: draft.files,
    confidence,
    scope: from.scope === 'shared' ? undefined : from.scope,
    trigger: 'graph merge',
  });
  return { ...filed, from: nameOf(from), into: nameOf(into), moved: draft.moved, notes: draft.notes };
}

const splitInput = z.strictObject({
  entity: entityField.describe('Who is two.'),
  name: z.string().trim().min(1).max(300).describe('What the other is called.'),
  type: z.string().trim().min(1).max(40).optional().describe('What the other is; the same when not given.'),
  items: z
    .array(z.string().trim().min(1))
    .min(1, 'must name what is the other’s')
    .max(1000)
    .describe('Ids of what is the other’s.'),
  aliases: z.array(z.string().trim().min(1)).max(50).default([]).describe('Other names of the other.'),
  why: z.string().trim().min(1).max(1000).optional().describe('The reason, for whoever decides.'),
  scope: scopeField,
});

export type GraphSplitInput = z.input<typeof splitInput>;

export interface SplitProposed extends Filed {
  readonly entity: EntityName;
  readonly other: EntityName;
  readonly moved: number;
}

export const graphSplit = defineVerb({
  name: 'graph split',
  summary: 'Propose that one entity is two.',
  description: 'Propose that one entity is two. Nothing changes before it is approved.',
  input: splitInput,
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<SplitProposed> {
    const { graph, entities, parts } = await context.parts.graph();
    const entity = graph.get(given.entity, { scope: given.scope });
    const type = (given.type ?? entity.type).toLowerCase();
    // Only for a name and a file that nobody has; the file itself is made by the proposal.
    const { entity: other } = entities.planAdd({ type, name: given.name, scope: entity.scope, isDistinct: true });
    const draft = draftSplit({
      entity,
      text: await readWorkspaceText(context, entity.path),
      id: other.id,
      path: other.path,
      type,
      name: other.name,
      aliases: given.aliases,
      items: given.items.map((id) => id.replace(/^\^/u, '')),
      now: timestamp(parts),
    });
    const filed = await fileProposal(context, {
      kind: 'split',
      title: `Split ${given.name} from ${entity.name} (${entity.id})`,
      why: given.why ?? `What is known of ${entity.name} is about two.`,
      evidence: [entity.path],
      changes: draft.files,
      scope: entity.scope === 'shared' ? undefined : entity.scope,
      trigger: 'graph split',
    });
    return { ...filed, entity: nameOf(entity), other: nameOf(other), moved: draft.moved };
  },
  library: { args: [] },
  cli: {
    args: ['entity', 'name'],
    options: {
      items: { value: 'ids', list: 'words' },
      type: { value: 'type' },
      aliases: { flag: 'alias', value: 'names', list: 'words' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderSplitProposed(view, output),
});
