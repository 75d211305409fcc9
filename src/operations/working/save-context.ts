import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { workingParts, type WorkingMemory, type WorkingParts } from '../../compile/working/agent-context.ts';
import { defineVerb } from '../verb.ts';
import { assertSourcesKnown, changeContext, contextStore, exclusively } from './contexts.ts';
import { contextName } from './load-context.ts';
import { isoTime } from '../../model/time.ts';

const input = z.strictObject({
  ...contextName,
  revision: z
    .number()
    .int()
    .min(0)
    .optional()
    .describe('The revision it was loaded at; refused when somebody saved meanwhile. Without it the last one wins.'),
  working: workingParts.describe('The parts to save; what is not given stays as it is.'),
});
export type SaveContextInput = z.input<typeof input>;

export interface SavedAgentContext {
  readonly agent: string;
  readonly session: string;
  readonly revision: number;
  readonly savedAt: string;
}

export const saveContext = defineVerb({
  name: 'working save',
  summary: 'Save what an agent holds in mind, durably.',
  description:
    'Save what an agent holds in mind, durably. Reads JSON from standard input: the parts that `session working show --json` shows as working.',
  examples: ['echo \'{"scratchpad": {"port": "8443"}}\' | mneme session working save'],
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, { agent, session, revision, working }): Promise<SavedAgentContext> {
    const before = contextStore(context).find(agent, session)?.working.facts ?? [];
    await assertSourcesKnown(context, working.facts ?? [], before);
    const saved = await changeContext(context, { agent, session }, (before) => replaceParts(before, working), revision);
    return { agent, session, revision: saved.revision, savedAt: isoTime(saved.savedMs) };
  },
  library: { name: 'saveContext' },
  cli: {
    path: 'session working save',
    formerly: ['working save'],
    options: { agent: { value: 'name' }, session: { value: 'id' }, working: false },
    prepare: async ({ input: given }, terminal) => ({ ...given, working: partsIn(await terminal.readInput()) }),
  },
  render: async (view, output) => (await import('./render.ts')).renderSaved(view, output),
});

function partsIn(text: string): WorkingParts {
  const { data, error } = workingParts.safeParse(parseObject(text));
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new MnemeError('usage', `${issue?.path.join('.') ?? 'The input'}: ${issue?.message ?? 'is not as expected'}.`, {
    hint: '`mneme session working show --json` shows the parts and their form.',
  });
}

function parseObject(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  throw new MnemeError('usage', 'The input is no JSON object.', {
    hint: 'Pipe parts of working memory into it: echo \'{"scratchpad": {"port": "8443"}}\' | mneme session working save',
  });
}

/** A task that another takes the place of is remembered among the earlier ones. */
export function replaceParts(before: WorkingMemory, given: WorkingParts): WorkingMemory {
  const parts = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  const after: WorkingMemory = { ...before, ...parts };
  const isReplaced = before.task !== null && given.task !== undefined && before.task.name !== given.task?.name;
  if (!isReplaced || before.task === null || given.tasks !== undefined) return after;
  return { ...after, tasks: [...before.tasks, before.task].slice(-MAX_TASKS) };
}

const MAX_TASKS = 50;

export const clearContext = defineVerb({
  name: 'working clear',
  summary: 'Empty what an agent holds in mind.',
  input: z.object(contextName),
  effect: 'write',
  withoutLease: 'own',
  async run(context, { agent, session }): Promise<{ agent: string; session: string; wasThere: boolean }> {
    const wasThere = await exclusively(context, async () => contextStore(context).remove(agent, session));
    return { agent, session, wasThere };
  },
  cli: {
    path: 'session working clear',
    formerly: ['working clear'],
    options: { agent: { value: 'name' }, session: { value: 'id' } },
  },
  render: async (view, output) => (await import('./render.ts')).renderCleared(view, output),
});

export const listContexts = defineVerb({
  name: 'working list',
  summary: 'List every saved context.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<{ readonly contexts: readonly { agent: string; session: string }[] }> {
    return { contexts: contextStore(context).list() };
  },
  cli: { path: 'session working list', formerly: ['working list'], isDefault: true },
  render: async (view, output) => (await import('./render.ts')).renderContexts(view, output),
});
