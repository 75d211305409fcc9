import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { TASK_STATES } from '../../model/schemas/item.ts';
import { shorten } from '../../model/shorten.ts';
import { defineOperation } from '../operation.ts';
import type { WriteResult } from '../write-result.ts';
import { dateField, entityField, nameOf, openGraph, originOf, scopeField, type EntityName } from './open-graph.ts';
import { commitPlans } from './write-plans.ts';

const taskInput = z.strictObject({
  entity: entityField,
  text: z.string().trim().min(1).max(2000).optional().describe('A new goal or task.'),
  id: z.string().trim().min(1).optional().describe('The task whose state changes.'),
  status: z.enum(TASK_STATES).default('open'),
  due: dateField.optional(),
  owner: z.string().trim().min(1).max(200).optional().describe('Whose it is, where that is not the user.'),
  why: z.string().trim().min(1).max(1000).optional().describe('How it ended, or why it was dropped.'),
  scope: scopeField,
});

export type GraphTaskInput = z.input<typeof taskInput>;

export interface ItemResult extends WriteResult {
  readonly entity: EntityName;
  readonly id: string;
  readonly outcome: 'added' | 'present' | 'changed';
}

export const graphTask = defineOperation({
  name: 'graph task',
  summary: 'Add a goal or task, or change its state.',
  input: taskInput,
  effect: 'write',
  async run(context, given): Promise<ItemResult> {
    const { graph, entities } = await openGraph(context);
    const entity = graph.get(given.entity, { scope: given.scope });
    const { status, due, owner, why } = given;
    const id = given.id?.replace(/^\^/u, '');
    if (id !== undefined) {
      const plan = entities.planTaskState(entity, id, { status, why });
      const result = await commitPlans(context, [plan], `${entity.name}: task ${status}`);
      return { entity: nameOf(entity), id, outcome: plan.outcome().outcome, ...result };
    }
    if (given.text === undefined) {
      throw new MnemeError('usage', 'A task needs words, or the id of one that is there.');
    }
    const plan = entities.planTask(entity, { text: given.text, due, owner, status, meta: originOf(context) });
    const result = await commitPlans(context, [plan], `${entity.name}: ${shorten(given.text)}`);
    return { entity: nameOf(entity), ...plan.outcome(), ...result };
  },
});

const decisionInput = z.strictObject({
  entity: entityField,
  text: z.string().trim().min(1).max(2000).optional().describe('What was decided.'),
  id: z.string().trim().min(1).optional().describe('The decision that no longer holds.'),
  status: z.enum(['reversed', 'superseded']).default('reversed').describe('With an id: how it ended.'),
  date: dateField.optional(),
  rationale: z.string().trim().min(1).max(2000).optional().describe('Why.'),
  impact: z.string().trim().min(1).max(2000).optional(),
  scope: scopeField,
});

export type GraphDecisionInput = z.input<typeof decisionInput>;

export const graphDecision = defineOperation({
  name: 'graph decision',
  summary: 'Record a decision with its reason, or that one no longer holds.',
  input: decisionInput,
  effect: 'write',
  async run(context, given): Promise<ItemResult> {
    const { graph, entities } = await openGraph(context);
    const entity = graph.get(given.entity, { scope: given.scope });
    const { status, date, rationale, impact } = given;
    const id = given.id?.replace(/^\^/u, '');
    if (id !== undefined) {
      const plan = entities.planDecisionState(entity, id, { status, date, why: rationale });
      const result = await commitPlans(context, [plan], `${entity.name}: decision ${status}`);
      return { entity: nameOf(entity), id, outcome: plan.outcome().outcome, ...result };
    }
    if (given.text === undefined) {
      throw new MnemeError('usage', 'A decision needs words, or the id of one that is there.');
    }
    const plan = entities.planDecision(entity, { text: given.text, date, rationale, impact, meta: originOf(context) });
    const result = await commitPlans(context, [plan], `${entity.name}: decided ${shorten(given.text)}`);
    return { entity: nameOf(entity), ...plan.outcome(), ...result };
  },
});
