import { realName } from '../../model/knowledge.ts';
import { z } from 'zod';
import { EMPTY_WORKING_MEMORY, type ActiveFact, type WorkingMemory } from '../../compile/working/agent-context.ts';
import { renderWorkingMemory } from '../../compile/working/render.ts';
import { estimateCounter } from '../../compile/tokens/estimate.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { DEFAULT_AGENT, NO_SESSION, type SourceState, contextStore, statesOfSources } from './contexts.ts';
import { isoTime } from '../../model/time.ts';

/** Focus, active facts, scratchpad and task state: half of a dense prompt, so that what is recalled still fits beside it. */
const WORKING_MEMORY_TOKENS = 4000;

export const contextName = {
  agent: z.string().min(1).default(DEFAULT_AGENT).describe('Whose context; main when not given.'),
  session: z
    .string()
    .min(1)
    .default(NO_SESSION)
    .describe('Of which conversation; what the agent holds in mind outside of any when not given.'),
};

/** The saved context with which an agent continues. */
export interface AgentContext {
  readonly agent: string;
  readonly session: string;
  /** Of the last save; 0 before there was one. To be given back with the next save. */
  readonly revision: number;
  readonly savedAt: string | null;
  readonly time: string;
  readonly timeZone: string;
  readonly user: string | null;
  readonly working: WorkingMemory;
  /** The same as text for a prompt, within 4,000 tokens or what was asked for. */
  readonly prompt: string;
  readonly tokens: number;
  /** Differences from the time the context was saved. */
  readonly notes: readonly string[];
}

const input = z.strictObject({
  ...contextName,
  maxTokens: z.number().int().min(0).optional().describe('Tokens of the prompt at most; 4,000 when not given.'),
});
export type LoadContextInput = z.input<typeof input>;

export const loadContext = defineVerb({
  name: 'working show',
  summary: 'Show what an agent holds in mind: task, focus, facts, notes, conversation.',
  input,
  effect: 'read',
  async run(context, { agent, session, maxTokens }): Promise<AgentContext> {
    const saved = contextStore(context).find(agent, session);
    const { working, notes } = await withoutGoneFacts(context, saved?.working ?? EMPTY_WORKING_MEMORY);
    const { clock, config, entities } = context;
    await entities.sync();
    const limit = maxTokens ?? WORKING_MEMORY_TOKENS;
    const prompt = renderWorkingMemory(working, limit, estimateCounter);
    return {
      agent,
      session,
      revision: saved?.revision ?? 0,
      savedAt: saved === undefined ? null : isoTime(saved.savedMs),
      time: isoTime(clock.now()),
      timeZone: config.time_zone,
      user: realName(entities.findUser()?.name) ?? null,
      working,
      prompt,
      tokens: estimateCounter.count(prompt),
      notes,
    };
  },
  library: { name: 'loadContext' },
  cli: {
    path: 'session working show',
    formerly: ['working show'],
    options: { agent: { value: 'name' }, session: { value: 'id' }, maxTokens: { flag: 'tokens' } },
    notes: ({ notes }) => notes,
  },
  render: async (view, output) => (await import('./render.ts')).renderContext(view, output),
});

/** A fact that was forgotten or replaced since must not live on in somebody's working memory. */
async function withoutGoneFacts(
  context: OperationContext,
  working: WorkingMemory,
): Promise<{ readonly working: WorkingMemory; readonly notes: readonly string[] }> {
  const ids = working.facts.flatMap(({ id }) => id ?? []);
  if (ids.length === 0) return { working, notes: [] };
  const states = await statesOfSources(context, ids);
  const stateOf = ({ id }: ActiveFact): SourceState => (id === undefined ? 'held' : (states.get(id) ?? 'held'));
  const notes = working.facts.flatMap((fact) => {
    const state = stateOf(fact);
    if (state === 'held') return [];
    const why = state === 'gone' ? 'is no longer in the memory' : 'was replaced by something newer';
    return [`A fact held in mind ${why} (${fact.id}) and was left out.`];
  });
  return { working: { ...working, facts: working.facts.filter((fact) => stateOf(fact) === 'held') }, notes };
}
