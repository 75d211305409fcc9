import { z } from 'zod';
import { KNOWLEDGE_KINDS, type Candidate } from '../../model/knowledge.ts';
import { readVariable } from '../../platform/environment.ts';
import { createReasoner } from '../../reasoner/create.ts';
import { TRIAL_SESSION, type CallRecord } from '../../reasoner/ledger/prices.ts';
import type { Route } from '../../reasoner/port.ts';
import { defineVerb } from '../verb.ts';

const input = z.object({
  text: z.string().trim().min(1).describe('Something a user might say.'),
});

interface Tried<Output> {
  readonly output: Output;
  readonly by: string;
  readonly notes: readonly string[];
}

export interface ReasonerTrial {
  readonly text: string;
  /** Where it would go if somebody asked to remember it. */
  readonly route: Tried<Route>;
  /** The knowledge that would be extracted if it were said in a conversation. */
  readonly extract: Tried<readonly Candidate[]>;
  /** Calls to models; none when the heuristic answered, or when the answers were known. */
  readonly calls: readonly CallRecord[];
  readonly usd: number;
}

export const reasonerTry = defineVerb({
  name: 'reasoner try',
  summary: 'Show what would be made of a text, by whom, and what it costs. Nothing is remembered.',
  input,
  // It changes no memory, but it may spend money.
  args: ['text...'],
  effect: 'write',
  withoutLease: 'own',
  async run({ config, clock, random, workspace: { paths } }, { text }): Promise<ReasonerTrial> {
    const calls: CallRecord[] = [];
    const reasoner = createReasoner(config, {
      journalFolder: paths.journal,
      stateFolder: paths.state,
      clock,
      random,
      readVariable,
      onCall: (call) => calls.push(call),
    });
    try {
      const timeMs = clock.now();
      const timeZone = config.time_zone;
      const route = await reasoner.ask('route', { text, timeMs, timeZone });
      const turns = [{ id: 't1', role: 'user', text, timeMs, trust: 'user' }] as const;
      const conversation = { session: TRIAL_SESSION, timeZone, turns };
      const extract = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
      return {
        text,
        route,
        extract,
        calls,
        usd: calls.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
      };
    } finally {
      reasoner.close();
    }
  },
  http: { isLong: true },
  cli: { path: 'learn try', formerly: ['reasoner try'] },
  render: async (view, output) => (await import('./render.ts')).renderTrial(view, output),
});
