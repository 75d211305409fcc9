import { z } from 'zod';
import { TASK_STATES, type WorkingMemory } from '../../compile/working/agent-context.ts';
import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb, type Verb } from '../verb.ts';
import { assertSourcesKnown, changeContext } from './contexts.ts';
import { contextName } from './load-context.ts';
import { replaceParts } from './save-context.ts';

const noteName = z
  .string()
  .trim()
  .min(1)
  .max(200)
  .refine((name) => name !== '__proto__', 'a note cannot be called __proto__');

const focus = z.object({
  kind: z.literal('focus'),
  topic: z.string().trim().min(1).describe('What is being worked on.'),
  related: z.array(z.string()).default([]).describe('Topics beside it.'),
});
const note = z.object({
  kind: z.literal('note'),
  key: noteName.describe('What the note is called.'),
  text: z.string().nullable().describe('What it says; null takes it off.'),
});
const fact = z.object({
  kind: z.literal('fact'),
  statement: z.string().trim().min(1).describe('The fact.'),
  id: z.string().optional().describe('The memory it comes from: when that is forgotten or replaced, so is this.'),
});
const task = z.object({
  kind: z.literal('task'),
  name: z.string().trim().min(1).optional().describe('What is to be done; the one at hand when not given.'),
  state: z.enum(TASK_STATES).optional().describe('How far it is.'),
  done: z.array(z.string().trim().min(1)).default([]).describe('Steps that are behind.'),
  next: z.array(z.string().trim().min(1)).default([]).describe('Steps that are ahead.'),
  note: z.string().trim().min(1).optional().describe('What it waits for, or how it ended.'),
});

/** One change of working memory from the outside; the library saves whole parts with `saveContext`. */
const change = z.discriminatedUnion('kind', [focus, note, fact, task]);
export type ContextChange = z.output<typeof change>;

export const changeWorking = defineVerb({
  name: 'working',
  summary: 'Change what an agent holds in mind.',
  input: z.object({ ...contextName, change }),
  effect: 'write',
  withoutLease: 'own',
  run: (context, { change: given, ...name }): Promise<WorkingMemory> => changeOnce(context, name, given),
  library: false,
  cli: false,
});

async function changeOnce(
  context: OperationContext,
  { agent, session }: { readonly agent: string; readonly session: string },
  given: ContextChange,
): Promise<WorkingMemory> {
  if (given.kind === 'fact') await assertSourcesKnown(context, [given], []);
  const { working } = await changeContext(context, { agent, session }, (before) => applyChange(before, given));
  return working;
}

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
    throw new MnemeError('usage', 'There is no task to change.', {
      hint: 'Name one: `mneme session working task "…"`.',
    });
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

/* A change on the command line has a command of its own. */

const own = { effect: 'write', withoutLease: 'own', http: false, library: false } as const;
const nameOptions = { agent: { value: 'name' }, session: { value: 'id' } };
const render: Verb<z.ZodType, WorkingMemory>['render'] = async (view, output) =>
  (await import('./render.ts')).renderChanged(view, output);

export const workingFocus = defineVerb({
  name: 'working focus',
  summary: 'Say what is being worked on.',
  input: focus.omit({ kind: true }).extend(contextName),
  args: ['topic...'],
  ...own,
  run: (context, { topic, related, ...name }) => changeOnce(context, name, { kind: 'focus', topic, related }),
  cli: {
    path: 'session working focus',
    formerly: ['working focus'],
    options: { ...nameOptions, related: { value: 'topics', list: 'words' } },
  },
  render,
});

export const workingNote = defineVerb({
  name: 'working note',
  summary: 'Put something on the scratchpad; without a text it is taken off.',
  input: note.omit({ kind: true, text: true }).extend({ text: note.shape.text.default(null), ...contextName }),
  ...own,
  run: (context, { key, text, ...name }) => changeOnce(context, name, { kind: 'note', key, text }),
  cli: {
    path: 'session working note',
    formerly: ['working note'],
    args: ['key', 'text...'],
    options: { ...nameOptions, key: { value: 'name' } },
  },
  render,
});

export const workingFact = defineVerb({
  name: 'working fact',
  summary: 'Hold a fact in mind.',
  input: fact.omit({ kind: true }).extend(contextName),
  args: ['statement...'],
  ...own,
  run: (context, { statement, id, ...name }) =>
    changeOnce(context, name, { kind: 'fact', statement, id: id?.replace(/^\^/u, '') }),
  cli: {
    path: 'session working fact',
    formerly: ['working fact'],
    options: { ...nameOptions, id: { value: 'item' } },
  },
  render,
});

export const workingTask = defineVerb({
  name: 'working task',
  summary: 'Say what is to be done and how far it is; without a name the one at hand.',
  input: task.omit({ kind: true }).extend(contextName),
  ...own,
  run: (context, { agent, session, ...given }) => changeOnce(context, { agent, session }, { kind: 'task', ...given }),
  cli: {
    path: 'session working task',
    formerly: ['working task'],
    args: ['name...'],
    options: {
      ...nameOptions,
      state: { value: 'state' },
      done: { value: 'steps', list: 'words' },
      next: { value: 'steps', list: 'words' },
    },
  },
  render,
});
