import { z } from 'zod';
import { isMnemeError } from '../../model/errors.ts';
import { planLink, planUnlink } from '../../memory/graph/plans/link.ts';
import { today } from '../../memory/stores/plan.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import {
  dateField,
  entityField,
  isPerson,
  nameOf,
  originOf,
  refuseBackwards,
  scopeField,
  type EntityName,
} from './open-graph.ts';
import { commitPlans, proposeWrite, withinScope } from './write-plans.ts';
import { showWarnings } from './open-graph.ts';

const linkInput = z.strictObject({
  from: entityField,
  relation: z.string().trim().min(1).max(80).describe('In the words of relations.md, or near them.'),
  to: entityField,
  since: dateField.optional().describe('True since this day, month or year.'),
  until: dateField.optional().describe('True until this day, month or year.'),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  loose: z.boolean().default(false).describe('Keep what relations.md has no word for as relates-to.'),
  exact: z.boolean().default(false).describe('Keep the word to the letter beside that of relations.md.'),
  scope: scopeField,
});

export type GraphLinkInput = z.input<typeof linkInput>;

export interface LinkResult extends WriteResult {
  readonly id: string;
  readonly outcome: 'added' | 'present';
  readonly from: EntityName;
  /** As it is written. */
  readonly relation: string;
  readonly to: EntityName;
}

export const graphLink = defineVerb({
  name: 'graph link',
  summary: 'Connect two entities by a relation of the ontology.',
  examples: ['mneme graph link Vera works-at Acme --since 2025-04'],
  input: linkInput,
  args: ['from', 'relation', 'to'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<LinkResult> {
    try {
      return await link(context, given);
    } catch (error) {
      if (!isMnemeError(error, 'conflict')) throw error;
      // Renamed while it was being linked: under its new name it is found again.
      return link(context, given);
    }
  },
  cli: {
    options: {
      since: { value: 'date' },
      until: { value: 'date' },
      confidence: { value: 'level' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderLinked(view, output),
});

async function link(context: OperationContext, given: z.output<typeof linkInput>): Promise<LinkResult> {
  refuseBackwards(given.since, given.until);
  const { graph, parts } = await context.parts.graph();
  const from = graph.get(given.from, { scope: given.scope });
  const to = graph.get(given.to, { scope: given.scope });
  const { relation, since, until, confidence, loose: isLoose, exact: isExact } = given;
  const meta = {
    ...originOf(context),
    ...(since === undefined ? {} : { from: since }),
    ...(until === undefined ? {} : { until }),
    ...(confidence === undefined ? {} : { confidence }),
  };
  const ontology = graph.ontologyFor(from.path);
  const plan = planLink(parts, graph.network, ontology, { from, relation, to, meta, isLoose, isExact });
  const result = await commitPlans(context, [plan], `${from.name} ${plan.relation} ${to.name}`, given.scope);
  return { ...plan.outcome(), from: nameOf(from), relation: plan.relation, to: nameOf(to), ...result };
}

const unlinkInput = z.strictObject({
  from: entityField,
  relation: z.string().trim().min(1).max(80).optional().describe('All relations between the two when not given.'),
  to: entityField,
  until: dateField.optional().describe('Since when it no longer holds; today when not given.'),
  mistake: z.boolean().default(false).describe('It never held: take the line out instead of striking it through.'),
  scope: scopeField,
});

export type GraphUnlinkInput = z.input<typeof unlinkInput>;

export interface UnlinkResult extends WriteResult {
  readonly from: EntityName;
  readonly to: EntityName;
  readonly ended: readonly { readonly id: string; readonly relation: string; readonly path: string }[];
  /** Where the user said that it holds, and it therefore waits for them: the proposal; nothing has ended then. */
  readonly proposal?: string | undefined;
}

export const graphUnlink = defineVerb({
  name: 'graph unlink',
  summary: 'Say that a relation no longer holds, or never did.',
  description: 'Say that a relation no longer holds, or never did. "any" stands for every relation between the two.',
  input: unlinkInput,
  args: ['from', 'to'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<UnlinkResult> {
    const { graph, parts } = await context.parts.graph();
    const from = graph.get(given.from, { scope: given.scope });
    const to = graph.get(given.to, { scope: given.scope });
    const { plans, edges } = planUnlink(parts, graph.network, graph.ontologyFor(from.path), {
      from,
      relation: given.relation,
      to,
      until: given.until ?? today(parts),
      isMistake: given.mistake,
    });
    const words = edges.map(({ relation }) => relation).join(', ');
    const summary = `ended ${from.name} ${words} ${to.name}`;
    const users = isPerson(context.actor) ? [] : edges.filter(({ trust }) => trust === 'user');
    if (users.length > 0) {
      const proposed = await proposeWrite(context, {
        title: summary,
        why: 'The user said that it holds; only a person ends it.',
        evidence: users.map(({ path, id }) => `${path} ^${id}`),
        changes: withinScope(
          context,
          plans.flatMap(({ changes }) => changes),
          given.scope,
        ),
        trigger: 'graph unlink',
      });
      return { from: nameOf(from), to: nameOf(to), ended: [], ...proposed };
    }
    const result = await commitPlans(context, plans, summary, given.scope);
    return {
      from: nameOf(from),
      to: nameOf(to),
      ended: edges.map(({ id, relation, path }) => ({ id, relation, path })),
      ...result,
    };
  },
  cli: {
    args: ['from', 'relation', 'to'],
    options: { until: { value: 'date' }, scope: { value: 'scope' } },
    prepare: ({ input }) => ({
      ...input,
      from: input.from ?? '',
      to: input.to ?? '',
      relation: input.relation === 'any' ? undefined : input.relation,
    }),
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderUnlinked(view, output),
});
