import { z } from 'zod';
import type { Scope } from '../../model/provenance.ts';
import { MnemeError } from '../../model/errors.ts';
import { TASK_STATES } from '../../model/schemas/item.ts';
import { shorten } from '../../model/text.ts';
import { resolveMetadata } from '../../workspace/formats/defaults.ts';
import type { StateChanged } from '../../memory/stores/entities/tasks.ts';
import type { Plan } from '../../memory/stores/plan.ts';
import type { EntityRecord } from '../../memory/stores/registry/entity-record.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import type { WriteResult } from '../commit-or-propose.ts';
import {
  dateField,
  entityField,
  isPerson,
  nameOf,
  originOf,
  scopeField,
  type EntityName,
  type OpenGraph,
} from './open-graph.ts';
import { commitPlans, proposeWrite, withinScope } from './write-plans.ts';
import { showWarnings } from './open-graph.ts';

const taskInput = z.strictObject({
  entity: entityField,
  text: z.string().trim().min(1).max(2000).optional().describe('A new goal or task.'),
  id: z.string().trim().min(1).optional().describe('The task whose state changes.'),
  status: z.enum(TASK_STATES).default('open'),
  due: dateField.optional().describe('Until when.'),
  owner: z.string().trim().min(1).max(200).optional().describe('Whose it is, where that is not the user.'),
  why: z.string().trim().min(1).max(1000).optional().describe('How it ended, or why it was dropped.'),
  scope: scopeField,
});

export type GraphTaskInput = z.input<typeof taskInput>;

export interface ItemResult extends WriteResult {
  readonly entity: EntityName;
  readonly id: string;
  /** `proposed`: it is the user's, and waits for them. */
  readonly outcome: 'added' | 'present' | 'changed' | 'proposed';
  readonly proposal?: string | undefined;
}

export const graphTask = defineVerb({
  name: 'graph task',
  summary: 'Add a goal or task, or change its state.',
  examples: [
    'mneme graph task Apollo "Ship the beta" --due 2026-12-01',
    'mneme graph task Apollo --id cx4dvmpd --status done',
  ],
  input: taskInput,
  args: ['entity'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<ItemResult> {
    const { graph, entities } = await context.parts.graph();
    const entity = graph.get(given.entity, { scope: given.scope });
    const { status, due, owner, why } = given;
    const id = given.id?.replace(/^\^/u, '');
    if (id !== undefined) {
      const plan = entities.planTaskState(entity, id, { status, why });
      return changeState(context, { entities, entity, id, plan, scope: given.scope }, `${entity.name}: task ${status}`);
    }
    if (given.text === undefined) {
      throw new MnemeError('usage', 'A task needs words, or the id of one that is there.');
    }
    const plan = entities.planTask(entity, { text: given.text, due, owner, status, meta: originOf(context) });
    const result = await commitPlans(context, [plan], `${entity.name}: ${shorten(given.text)}`, given.scope);
    return { entity: nameOf(entity), ...plan.outcome(), ...result };
  },
  cli: {
    args: ['entity', 'text...'],
    options: {
      due: { value: 'date' },
      owner: { value: 'name' },
      status: { value: 'state' },
      id: { value: 'id' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderItem(view, output),
});

const decisionInput = z.strictObject({
  entity: entityField,
  text: z.string().trim().min(1).max(2000).optional().describe('What was decided.'),
  id: z.string().trim().min(1).optional().describe('The decision that no longer holds.'),
  status: z.enum(['reversed', 'superseded']).default('reversed').describe('With an id: how it ended.'),
  date: dateField.optional().describe('When; today where it is not given.'),
  rationale: z.string().trim().min(1).max(2000).optional().describe('Why.'),
  impact: z.string().trim().min(1).max(2000).optional().describe('What follows from it.'),
  scope: scopeField,
});

export type GraphDecisionInput = z.input<typeof decisionInput>;

export const graphDecision = defineVerb({
  name: 'graph decision',
  summary: 'Record a decision with its reason, or that one no longer holds.',
  examples: ['mneme graph decision Apollo "Use PostgreSQL" --why "one server for everything"'],
  input: decisionInput,
  args: ['entity'],
  effect: 'write',
  withoutLease: 'proposes',
  async run(context, given): Promise<ItemResult> {
    const { graph, entities } = await context.parts.graph();
    const entity = graph.get(given.entity, { scope: given.scope });
    const { status, date, rationale, impact } = given;
    const id = given.id?.replace(/^\^/u, '');
    if (id !== undefined) {
      const plan = entities.planDecisionState(entity, id, { status, date, why: rationale });
      return changeState(
        context,
        { entities, entity, id, plan, scope: given.scope },
        `${entity.name}: decision ${status}`,
      );
    }
    if (given.text === undefined) {
      throw new MnemeError('usage', 'A decision needs words, or the id of one that is there.');
    }
    const plan = entities.planDecision(entity, { text: given.text, date, rationale, impact, meta: originOf(context) });
    const result = await commitPlans(context, [plan], `${entity.name}: decided ${shorten(given.text)}`, given.scope);
    return { entity: nameOf(entity), ...plan.outcome(), ...result };
  },
  cli: {
    args: ['entity', 'text...'],
    options: {
      rationale: { flag: 'why', help: 'the reason' },
      date: { value: 'date' },
      id: { value: 'id' },
      status: { value: 'state' },
      scope: { value: 'scope' },
    },
    notes: showWarnings,
  },
  render: async (view, output) => (await import('./render-changes.ts')).renderItem(view, output),
});

interface ChangeOfState {
  readonly entities: OpenGraph['entities'];
  readonly entity: EntityRecord;
  readonly id: string;
  readonly plan: Plan<StateChanged>;
  readonly scope: Scope;
}

/** The state of what the user set themselves is the user's to change. */
async function changeState(
  context: OperationContext,
  { entities, entity, id, plan, scope }: ChangeOfState,
  summary: string,
): Promise<ItemResult> {
  const { tasks, decisions, defaults } = entities.read(entity);
  const known = [...tasks, ...decisions].find((item) => item.id === id);
  const isUsers = known !== undefined && resolveMetadata(known.meta, defaults).trust === 'user';
  if (isUsers && !isPerson(context.actor)) {
    const proposed = await proposeWrite(context, {
      title: summary,
      why: `The user set it: "${known.text}".`,
      evidence: [`${entity.path} ^${id}`],
      changes: withinScope(context, plan.changes, scope),
      trigger: 'graph task',
    });
    return { entity: nameOf(entity), id, outcome: 'proposed', ...proposed };
  }
  const result = await commitPlans(context, [plan], summary, scope);
  return { entity: nameOf(entity), id, outcome: plan.outcome().outcome, ...result };
}
