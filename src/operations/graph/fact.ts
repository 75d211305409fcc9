import { z } from 'zod';
import { shorten } from '../../model/text.ts';
import type { FactMetadata } from '../../model/schemas/item.ts';
import { holdsAt } from '../../memory/stores/entities/current-facts.ts';
import { foldName } from '../../memory/stores/registry/names.ts';
import type { GraphFact } from '../../memory/graph/statements.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import {
  dateField,
  entityField,
  getStatement,
  isPerson,
  momentOf,
  nameOf,
  originOf,
  refuseBackwards,
  scopeField,
  type EntityName,
  type OpenGraph,
} from './open-graph.ts';
import { commitPlans, draftChanges, fileProposal, withinScope } from './write-plans.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import { showWarnings } from './open-graph.ts';

const input = z.strictObject({
  entity: entityField,
  text: z
    .string()
    .max(4000)
    .refine((words) => words.trim() !== '', 'there is nothing to state'),
  category: z.string().trim().min(1).max(40).optional().describe('Such as work, home, health.'),
  attribute: z
    .string()
    .trim()
    .min(1)
    .max(60)
    .optional()
    .describe('The property it states, where that has one value at a time.'),
  value: z.string().trim().min(1).max(500).optional().describe('The value of that property.'),
  from: dateField.optional().describe('True since this day, month or year.'),
  until: dateField.optional().describe('True until this day, month or year.'),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  importance: z.number().min(0).max(1).optional().describe('0 to 1.'),
  exact: z.boolean().default(false).describe('Keep the text to the letter too, line breaks included.'),
  replaces: z.string().trim().min(1).optional().describe('The id of the fact that it takes the place of.'),
  scope: scopeField,
});

export type GraphFactInput = z.input<typeof input>;

export interface FactResult extends WriteResult {
  readonly entity: EntityName;
  /** The fact that says it now; the proposal's id when it waits for a person. */
  readonly id: string;
  readonly outcome: 'added' | 'reinforced' | 'present' | 'superseded' | 'proposed';
  /** Facts that no longer hold because of it. */
  readonly superseded: readonly string[];
}

export const graphFact = defineVerb({
  name: 'graph fact',
  summary: 'State a fact about an entity, with the time it holds.',
  examples: ['mneme graph fact Vera "lives in Vienna" --attribute residence --value Vienna --from 2026-03'],
  input,
  args: ['entity', 'text...'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<FactResult> {
    const open = await context.parts.graph();
    const { graph } = open;
    refuseBackwards(given.from, given.until);
    const replaced =
      given.replaces === undefined ? undefined : getStatement(graph, given.replaces, visibleTo(context).sees);
    const entity = replaced?.entity ?? graph.get(given.entity, { scope: given.scope });
    const rivals = replaced === undefined ? findRivals(context, open, entity, given) : factsOf(open, replaced.id);
    const statement = {
      text: given.text,
      meta: metaOf(context, given),
      attribute: given.attribute,
      value: given.value,
      isExact: given.exact,
    };
    const [first, ...others] = rivals.map(({ id }) => id);
    if (first === undefined && replaced === undefined) {
      const plan = open.entities.planFact(entity, statement);
      const result = await commitPlans(context, [plan], `${entity.name}: ${shorten(given.text)}`, given.scope);
      return { entity: nameOf(entity), ...plan.outcome(), superseded: [], ...result };
    }
    const id = first ?? replaced?.id ?? '';
    const plan = open.entities.planSupersede(entity, id, { replacement: statement });
    const more = others.map((other) => open.entities.planSupersede(entity, other, { until: statement.meta.from }));
    const plans: Plan<unknown>[] = [plan, ...more];
    // Only the user's own word takes the place of what the user said.
    if (!isPerson(context.actor) && rivals.some(({ trust }) => trust === 'user')) {
      return propose(context, entity, given, { plans, rivals });
    }
    const result = await commitPlans(context, plans, `${entity.name}: ${shorten(given.text)}`, given.scope);
    const { replacement } = plan.outcome();
    return {
      entity: nameOf(entity),
      id: replacement?.id ?? id,
      outcome: 'superseded',
      superseded: [id, ...others],
      ...result,
    };
  },
  cli: {
    options: {
      attribute: { value: 'name' },
      value: { value: 'value' },
      category: { value: 'word' },
      from: { value: 'date' },
      until: { value: 'date' },
      confidence: { value: 'level' },
      replaces: { value: 'id' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderFact(view, output),
});

/** Finds current facts on the same property with another value. */
function findRivals(
  context: OperationContext,
  { graph }: OpenGraph,
  entity: EntityRecord,
  { attribute, value, text, until, from }: z.output<typeof input>,
): GraphFact[] {
  if (attribute === undefined || until !== undefined) return [];
  const moment = momentOf(context, { at: from });
  return graph
    .facts(entity.path)
    .filter((fact) => fact.attribute !== undefined && foldName(fact.attribute) === foldName(attribute))
    .filter((fact) => holdsAt(fact, undefined, moment))
    .filter((fact) => foldName(fact.value ?? fact.text) !== foldName(value ?? text));
}

function factsOf({ graph }: OpenGraph, id: string): GraphFact[] {
  return [...graph.statement(id).facts];
}

function metaOf(
  context: OperationContext,
  { category, from, until, confidence, importance }: z.output<typeof input>,
): FactMetadata {
  return {
    ...originOf(context),
    ...(category === undefined ? {} : { category }),
    ...(from === undefined ? {} : { from }),
    ...(until === undefined ? {} : { until }),
    ...(confidence === undefined ? {} : { confidence }),
    ...(importance === undefined ? {} : { importance }),
  };
}

async function propose(
  context: OperationContext,
  entity: EntityRecord,
  { text, scope }: z.output<typeof input>,
  { plans, rivals }: { readonly plans: readonly Plan<unknown>[]; readonly rivals: readonly GraphFact[] },
): Promise<FactResult> {
  const filed = await fileProposal(context, {
    kind: 'memory',
    title: shorten(text),
    why: `It takes the place of what the user said: ${rivals.map((rival) => `"${rival.text}"`).join(', ')}.`,
    evidence: rivals.map(({ path, id }) => `${path} ^${id}`),
    changes: draftChanges(
      context,
      withinScope(
        context,
        plans.flatMap((plan) => plan.changes),
        scope,
      ),
    ),
    trigger: 'graph fact',
  });
  return {
    entity: nameOf(entity),
    id: filed.proposal,
    outcome: 'proposed',
    superseded: [],
    mutation: filed.mutation,
    files: [],
    redacted: [],
    warnings: filed.warnings,
    commit: null,
  };
}
