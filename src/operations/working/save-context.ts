import { z } from 'zod';
import { workingParts, type WorkingMemory, type WorkingParts } from '../../compile/working/agent-context.ts';
import { isoTime } from '../history/open-history.ts';
import { defineOperation } from '../operation.ts';
import { changeContext, contextStore, exclusively } from './contexts.ts';
import { assertSourcesKnown } from './fact-sources.ts';
import { contextName } from './load-context.ts';

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

export const saveContext = defineOperation({
  name: 'working save',
  summary: 'Save what an agent holds in mind, durably.',
  input,
  effect: 'write',
  withoutLease: 'own',
  async run(context, { agent, session, revision, working }): Promise<SavedAgentContext> {
    const before = contextStore(context).find(agent, session)?.working.facts ?? [];
    await assertSourcesKnown(context, working.facts ?? [], before);
    const saved = await changeContext(context, { agent, session }, (before) => replaceParts(before, working), revision);
    return { agent, session, revision: saved.revision, savedAt: isoTime(saved.savedMs) };
  },
});

/** A task that another takes the place of is remembered among the earlier ones. */
export function replaceParts(before: WorkingMemory, given: WorkingParts): WorkingMemory {
  const parts = Object.fromEntries(Object.entries(given).filter(([, part]) => part !== undefined));
  const after: WorkingMemory = { ...before, ...parts };
  const isReplaced = before.task !== null && given.task !== undefined && before.task.name !== given.task?.name;
  if (!isReplaced || before.task === null || given.tasks !== undefined) return after;
  return { ...after, tasks: [...before.tasks, before.task].slice(-MAX_TASKS) };
}

const MAX_TASKS = 50;

export const clearContext = defineOperation({
  name: 'working clear',
  summary: 'Empty what an agent holds in mind.',
  input: z.object(contextName),
  effect: 'write',
  withoutLease: 'own',
  async run(context, { agent, session }): Promise<{ agent: string; session: string; wasThere: boolean }> {
    const wasThere = await exclusively(context, async () => contextStore(context).remove(agent, session));
    return { agent, session, wasThere };
  },
});

export const listContexts = defineOperation({
  name: 'working list',
  summary: 'Every saved context.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<{ readonly contexts: readonly { agent: string; session: string }[] }> {
    return { contexts: contextStore(context).list() };
  },
});
