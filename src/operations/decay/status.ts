import { z } from 'zod';
import { findCandidates } from '../../maintain/forgetting/candidates.ts';
import type { SurveyedMemory } from '../../maintain/forgetting/memory.ts';
import { DECAY_STATUSES, type DecayStatus } from '../../memory/decay/relevance.ts';
import type { Store } from '../../model/provenance.ts';
import { defineVerb } from '../verb.ts';
import { DECAY_ACTOR } from './archive-proposal.ts';
import { surveyMemories } from './survey.ts';

type Counts = Readonly<Record<DecayStatus, number>>;

export interface DecayStatusReport {
  readonly enabled: boolean;
  readonly stores: readonly (Counts & { readonly store: Store; readonly pinned: number })[];
  readonly total: Counts;
  /** Memories that were ever used. */
  readonly used: number;
  /** The number of memories a run would propose for archiving, rejected ones included. */
  readonly candidates: number;
  /** Facts that are less sure than `DOUBTFUL_BELOW`. */
  readonly doubtful: readonly { readonly id: string; readonly path: string; readonly text: string }[];
  /** The proposal that waits for a person. */
  readonly proposal: string | null;
}

const MAX_DOUBTFUL = 20;

export const decayStatus = defineVerb({
  name: 'decay status',
  summary: 'Show how far memories have faded, store by store, and what waits for a decision.',
  input: z.object({}),
  effect: 'read',
  async run(context): Promise<DecayStatusReport> {
    const { decay, retention } = context.config;
    const { memories, nowMs } = await surveyMemories(context);
    const byStore = [...Map.groupBy(memories, ({ store }) => store)].toSorted(([a], [b]) => (a < b ? -1 : 1));
    const rules = { decay, retention };
    const { proposals } = context.proposals.list({
      kind: 'archive',
      actor: DECAY_ACTOR,
      state: ['pending', 'deferred'],
    });
    return {
      enabled: decay.lambda_per_day > 0,
      stores: byStore.map(([store, members]) =>
        Object.assign({ store, pinned: pinnedIn(members) }, countStatuses(members)),
      ),
      total: countStatuses(memories),
      used: memories.filter(({ use }) => use !== undefined).length,
      candidates: findCandidates(memories, nowMs, rules).length,
      doubtful: memories
        .filter((memory) => isDoubtful(memory))
        .slice(0, MAX_DOUBTFUL)
        .map(({ id, path, text }) => ({ id, path, text })),
      proposal: proposals.at(-1)?.id ?? null,
    };
  },
  cli: { path: 'memory decay status', isDefault: true, formerly: ['decay', 'decay status'] },
  render: async (view, report) => (await import('./render.ts')).renderDecayStatus(view, report),
});

/** Less likely than one in three: worth a person's look (S1 reviews facts below the same confidence). */
const DOUBTFUL_BELOW = 0.3;

function isDoubtful({ store, confidence }: SurveyedMemory): boolean {
  return store === 'semantic' && confidence !== undefined && confidence < DOUBTFUL_BELOW;
}

function pinnedIn(memories: readonly SurveyedMemory[]): number {
  return memories.filter(({ isPinned }) => isPinned).length;
}

function countStatuses(memories: readonly SurveyedMemory[]): Counts {
  const counts = { active: 0, fading: 0, dormant: 0, faint: 0 };
  for (const status of DECAY_STATUSES) counts[status] = memories.filter((memory) => memory.status === status).length;
  return counts;
}
