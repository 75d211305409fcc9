import path from 'node:path';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';
import type { FileSystem } from '../../platform/fs.ts';
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

/** Agents and sessions become file names. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/** A window of the largest models, with room to spare; beyond that something is stored here that belongs elsewhere. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * `journal/working/<agent>/<session>.json`: what an agent holds in mind. A save is durable when it is acknowledged, and a
 * crash leaves the one before it. Not in git; an erasure goes through it like through all of `journal/`.
 */
export class ContextStore {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, journal: string) {
    this.#fs = fs;
    this.#folder = path.join(journal, 'working');
  }

  /** Undefined when nothing was saved. */
  find(agent: string, session: string): SavedContext | undefined {
    const text = this.#fs.read(this.#file(agent, session))?.toString('utf8');
    return text === undefined ? undefined : parse(text, `${agent}/${session}`);
  }

  /** The caller holds the lock: two concurrent saves would get the same number. */
  async write(context: SavedContext): Promise<void> {
    const file = this.#file(context.agent, context.session);
    const bytes = Buffer.from(`${JSON.stringify(context)}\n`, 'utf8');
    if (bytes.length > MAX_BYTES) {
      throw new MnemeError('refused', `The context has ${bytes.length} bytes; ${MAX_BYTES} are allowed.`, {
        hint: 'Compact the conversation first (`mneme session compact`). What was saved before is unchanged.',
      });
    }
    this.#fs.makeDirectory(path.dirname(file));
    const temporary = `${file}.new`;
    this.#fs.remove(temporary);
    const written = this.#fs.open(temporary);
    try {
      written.write(bytes, 0);
      await written.sync();
    } finally {
      written.close();
    }
    await this.#fs.rename(temporary, file);
    this.#fs.syncDirectory(path.dirname(file));
  }

  /** False when there was nothing. */
  remove(agent: string, session: string): boolean {
    const file = this.#file(agent, session);
    if (!this.#fs.exists(file)) return false;
    this.#fs.remove(file);
    this.#fs.syncDirectory(path.dirname(file));
    return true;
  }

  /** Every saved context, by agent and session. */
  list(): { readonly agent: string; readonly session: string }[] {
    return this.#fs
      .list(this.#folder)
      .sort()
      .flatMap((agent) =>
        this.#fs
          .list(path.join(this.#folder, agent))
          .filter((name) => name.endsWith('.json'))
          .sort()
          .map((name) => ({ agent, session: name.slice(0, -'.json'.length) })),
      );
  }

  #file(agent: string, session: string): string {
    for (const [what, name] of [
      ['an agent', agent],
      ['a session', session],
    ] as const) {
      if (NAME.test(name)) continue;
      throw new MnemeError('usage', `"${name}" cannot be the name of ${what}.`, {
        hint: 'Use letters, digits, dot, dash and underscore, at most 64 of them.',
      });
    }
    return path.join(this.#folder, agent, `${session}.json`);
  }
}

function parse(text: string, name: string): SavedContext {
  const value = parseJson(text);
  const read = savedContext.safeParse(value);
  if (read.success) return read.data;
  const format = typeof value === 'object' && value !== null && 'format' in value ? value.format : undefined;
  if (typeof format === 'number' && format > CONTEXT_FORMAT) {
    throw new MnemeError('refused', `The context ${name} was saved by a newer Mneme (format ${format}).`, {
      hint: 'Update this one to load it.',
    });
  }
  throw new MnemeError('integrity', `The saved context ${name} cannot be read.`, {
    hint: 'It lies under journal/working/ in the home. Mend the file, or start anew with `mneme session working clear`.',
  });
}
