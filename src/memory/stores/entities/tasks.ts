import { MnemeError, must } from '../../../model/errors.ts';
import type { DecisionMetadata, TaskMetadata } from '../../../model/schemas/item.ts';
import { addDecision, addTask } from '../../../workspace/formats/entity.ts';
import { changeTask, endDecision } from '../../../workspace/formats/entity-changes.ts';
import type { TaskState } from '../../../workspace/formats/entity-items.ts';
import { newId, today, Told, type Plan, type StoreParts } from '../plan.ts';
import { sameWords } from '../../../model/same-words.ts';
import { type EntityRef, changeEntity, missingItem, parseEntityWithIds } from './entity-edit.ts';
import { oneLine } from '../../../model/text.ts';

export interface NewTask {
  readonly id?: string | undefined;
  readonly text: string;
  readonly due?: string | undefined;
  /** The owner, where that is not the user. */
  readonly owner?: string | undefined;
  readonly status?: TaskState | undefined;
  readonly meta?: TaskMetadata | undefined;
}

export interface ItemStated {
  readonly id: string;
  readonly outcome: 'added' | 'present';
}

export interface StateChanged {
  readonly outcome: 'changed' | 'present';
}

/** Adds a goal or task; one that is open in the same words is not set twice. */
export function planTask(parts: StoreParts, entity: EntityRef, given: NewTask): Plan<ItemStated> {
  const id = given.id ?? newId(parts);
  const { due, owner, status = 'open', meta = {} } = given;
  const text = words(given.text, 'task');
  const told = new Told<ItemStated>();
  const change = changeEntity(parts, entity, (document) => {
    const { tasks } = parseEntityWithIds(document, entity.path);
    const known = tasks.find((task) => task.id === id || (!isClosed(task.status) && sameWords(task.text, text)));
    told.set({ id: known?.id ?? id, outcome: known === undefined ? 'added' : 'present' });
    if (known !== undefined) return document;
    const stated = { ...(due === undefined ? {} : { due }), ...(owner === undefined ? {} : { owner }) };
    return addTask(document, { id, text, status, meta: { ...meta, ...stated } });
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

export interface TaskChange {
  readonly status: TaskState;
  /** Today when not given. */
  readonly date?: string | undefined;
  /** The outcome, or the reason for dropping it. */
  readonly why?: string | undefined;
}

/** Ticks, drops or reopens a task. */
export function planTaskState(
  parts: StoreParts,
  entity: EntityRef,
  id: string,
  { status, date = today(parts), why }: TaskChange,
): Plan<StateChanged> {
  const told = new Told<StateChanged>();
  const change = changeEntity(parts, entity, (document) => {
    const known = parseEntityWithIds(document, entity.path).tasks.find((task) => task.id === id);
    if (known === undefined) throw missingItem(entity, id);
    told.set({ outcome: known.status === status ? 'present' : 'changed' });
    if (known.status === status) return document;
    const { closed: _closed, ...meta } = known.meta;
    const ended = isClosed(status) ? { closed: date } : {};
    const reason = why === undefined ? {} : { outcome: oneLine(why) };
    const after = changeTask(document, entity.path, id, (task) => ({
      ...task,
      status,
      meta: { ...meta, ...ended, ...reason },
    }));
    return must(after, `the task ^${id}`);
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

function isClosed(status: TaskState): boolean {
  return status === 'done' || status === 'dropped';
}

export interface NewDecision {
  readonly id?: string | undefined;
  readonly text: string;
  /** Today when not given. */
  readonly date?: string | undefined;
  readonly rationale?: string | undefined;
  readonly impact?: string | undefined;
  readonly meta?: DecisionMetadata | undefined;
}

/** Adds a decision; one that holds in the same words is not taken twice. */
export function planDecision(parts: StoreParts, entity: EntityRef, given: NewDecision): Plan<ItemStated> {
  const id = given.id ?? newId(parts);
  const { date = today(parts), rationale, impact, meta = {} } = given;
  const text = words(given.text, 'decision');
  const told = new Told<ItemStated>();
  const change = changeEntity(parts, entity, (document) => {
    const { decisions } = parseEntityWithIds(document, entity.path);
    const known = decisions.find(
      (decision) => decision.id === id || (!isEnded(decision.meta) && sameWords(decision.text, text)),
    );
    told.set({ id: known?.id ?? id, outcome: known === undefined ? 'added' : 'present' });
    return known === undefined ? addDecision(document, { id, text, date, rationale, impact, meta }) : document;
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

export interface DecisionChange {
  readonly status: 'reversed' | 'superseded';
  /** Today when not given. */
  readonly date?: string | undefined;
  readonly why?: string | undefined;
  /** The decision that holds instead. */
  readonly supersededBy?: string | undefined;
}

/** Says that a decision no longer holds, since when and why; it stays readable. */
export function planDecisionState(
  parts: StoreParts,
  entity: EntityRef,
  id: string,
  { status, date = today(parts), why, supersededBy }: DecisionChange,
): Plan<StateChanged> {
  const told = new Told<StateChanged>();
  const change = changeEntity(parts, entity, (document) => {
    const known = parseEntityWithIds(document, entity.path).decisions.find((decision) => decision.id === id);
    if (known === undefined) throw missingItem(entity, id);
    told.set({ outcome: isEnded(known.meta) ? 'present' : 'changed' });
    if (isEnded(known.meta)) return document;
    return must(endDecision(document, entity.path, id, { status, date, why, supersededBy }), `the decision ^${id}`);
  });
  return { changes: [change], notes: [], outcome: () => told.get() };
}

function isEnded({ status }: DecisionMetadata): boolean {
  return status === 'reversed' || status === 'superseded';
}

function words(text: string, what: string): string {
  const line = oneLine(text.toWellFormed());
  if (line === '') throw new MnemeError('usage', `A ${what} needs words.`);
  return line;
}
