import { z } from 'zod';
import { isKnownRole } from '../compaction/json-message.ts';

/** The format of a saved context; raised only when older ones could no longer be read. */
export const CONTEXT_FORMAT = 1;

export const TASK_STATES = ['active', 'waiting', 'done', 'dropped'] as const;

const line = z.string().trim().min(1).max(2000);

const anyRole = z.string().min(1).max(40);
const knownRole = anyRole.refine(
  (role) => isKnownRole(role),
  'the role of a message is user, assistant, system, developer or tool',
);

const message = z.looseObject({
  role: anyRole,
  content: z.string(),
  name: z.string().max(200).optional(),
  time: z.string().max(60).optional(),
  turn: z.string().max(100).optional(),
  critical: z.boolean().optional(),
  compacted: z
    .object({ from: z.string(), to: z.string(), messages: z.number().int().min(0), session: z.string().optional() })
    .optional(),
});

const fact = z.strictObject({
  statement: line.describe('What is held in mind.'),
  id: z.string().max(100).optional().describe('The memory it comes from.'),
});

const focus = z.strictObject({
  topic: line.describe('What is being worked on.'),
  related: z.array(line).max(50).default([]).describe('Topics beside it.'),
});

const task = z.strictObject({
  name: line.describe('What is to be done.'),
  state: z.enum(TASK_STATES).default('active'),
  done: z.array(line).max(200).default([]).describe('Steps that are behind.'),
  next: z.array(line).max(200).default([]).describe('Steps that are ahead.'),
  note: line.optional().describe('What it waits for, or how it ended.'),
});

const parts = {
  conversation: z.array(message).max(20_000).describe('The messages in the window.'),
  facts: z.array(fact).max(500).describe('Facts that are held in mind.'),
  focus: focus.nullable().describe('What is being worked on.'),
  scratchpad: z.record(z.string().min(1).max(200), z.string().max(20_000)).describe('Notes by name.'),
  task: task.nullable().describe('What is to be done, and how far it is.'),
  tasks: z.array(task).max(200).describe('Tasks before this one, the latest last.'),
};

/** A record would lose it without a word. */
const scratchpad = z
  .custom<Record<string, string>>(
    (value) => typeof value !== 'object' || value === null || !Object.hasOwn(value, '__proto__'),
    'a note cannot be called __proto__',
  )
  .pipe(parts.scratchpad);

/** The parts of working memory (S1 §11). */
export const workingMemory = z.object({
  conversation: parts.conversation.default([]),
  facts: parts.facts.default([]),
  focus: parts.focus.default(null),
  scratchpad: parts.scratchpad.default({}),
  task: parts.task.default(null),
  tasks: parts.tasks.default([]),
});

/** Some of the parts. Without defaults: what is not given must not be taken for empty. */
export const workingParts = z
  .strictObject({ ...parts, scratchpad, conversation: z.array(message.extend({ role: knownRole })).max(20_000) })
  .partial();
export type WorkingParts = z.output<typeof workingParts>;

export type WorkingMemory = z.output<typeof workingMemory>;
export type ActiveFact = WorkingMemory['facts'][number];
export type TaskState = NonNullable<WorkingMemory['task']>;

export const savedContext = z.object({
  format: z.literal(CONTEXT_FORMAT),
  agent: z.string(),
  session: z.string(),
  /** Counts the saves; whoever builds on an older one is told. */
  revision: z.number().int().min(1),
  savedMs: z.number(),
  working: workingMemory,
});
export type SavedContext = z.output<typeof savedContext>;

export const EMPTY_WORKING_MEMORY: WorkingMemory = workingMemory.parse({});
