import { z } from 'zod';
import { TASK_STATES, type WorkingMemory } from '../../compile/working/agent-context.ts';
import { MnemeError } from '../../model/errors.ts';
import { defineOperation } from '../operation.ts';
import { changeContext } from './contexts.ts';
import { assertSourcesKnown } from './fact-sources.ts';
import { contextName } from './load-context.ts';
import { replaceParts } from './save-context.ts';

const noteName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => name !== '__proto__', 'a note cannot be called __proto__');

/** One change of working memory from the outside; the library saves whole parts with `saveContext`. */
const change = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('focus'), topic: z.string().trim().min(1), related: z.array(z.string()).default([]) }),
  z.object({ kind: z.literal('note'), key: noteName, text: z.string().nullable() }),
  z.object({ kind: z.literal('fact'), statement: z.string().trim().min(1), id: z.string().optional() }),
  z.object({
    kind: z.literal('task'),
    name: z.string().trim().min(1).optional(),
    state: z.enum(TASK_STATES).optional(),
    done: z.array(z.string().trim().min(1)).default([]),
    next: z.array(z.string().trim().min(1)).default([]),
    note: z.string().trim().min(1).optional(),
  }),
]);
export type ContextChange = z.output<typeof change>;

export const changeWorking = defineOperation({
  name: 'working',
  summary: 'Change what an agent holds in mind.',
  input: z.object({ ...contextName, change }),
  effect: 'write',
  withoutLease: 'own',
  async run(context, { agent, session, change: given }): Promise<WorkingMemory> {
    if (given.kind === 'fact') await assertSourcesKnown(context, [given], []);
    const { working } = await changeContext(context, { agent, session }, (before) => applyChange(before, given));
    return working;
  },
});

const MAX_FACTS = 500;

function applyChange(before: WorkingMemory, given: ContextChange): WorkingMemory {
  switch (given.kind) {
    case 'focus':
      return { ...before, focus: { topic: given.topic, related: given.related } };
    case 'note': {
      const { [given.key]: _old, ...rest } = before.scratchpad;
      return { ...before, scratchpad: given.text === null ? rest : { ...rest, [given.key]: given.text } };
    }
    case 'fact': {
      const others = before.facts.filter(({ statement }) => statement !== given.statement);
      const fact = { statement: given.statement, ...(given.id === undefined ? {} : { id: given.id }) };
      return { ...before, facts: [...others, fact].slice(-MAX_FACTS) };
    }
    case 'task':
      return replaceParts(before, { task: changeTask(before.task, given) });
  }
}

function changeTask(
  before: WorkingMemory['task'],
  { name, state, done, next, note }: Extract<ContextChange, { kind: 'task' }>,
): WorkingMemory['task'] {
  const isSame = before !== null && (name === undefined || name === before.name);
  const task = isSame
    ? before
    : name === undefined
      ? undefined
      : { name, state: 'active' as const, done: [], next: [] };
  if (task === undefined) {
    throw new MnemeError('usage', 'There is no task to change.', { hint: 'Name one: `mneme working task "…"`.' });
  }
  const isDone = new Set(done);
  return {
    ...task,
    ...(state === undefined ? {} : { state }),
    ...(note === undefined ? {} : { note }),
    done: [...task.done, ...done],
    // A step that is done is no longer ahead.
    next: [...task.next.filter((step) => !isDone.has(step)), ...next],
  };
}
