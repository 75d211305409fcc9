import type { Config } from '../model/config/schema.ts';
import type { Source, Store } from '../model/provenance.ts';

const DAY_MS = 86_400_000;

export const DECAY_STATUSES = ['active', 'fading', 'dormant', 'faint'] as const;
export type DecayStatus = (typeof DECAY_STATUSES)[number];

/** What fading depends on. Creation counts as one access. */
export interface Fading {
  readonly store: Store;
  readonly source: Source;
  readonly createdMs: number | undefined;
  readonly accesses: number;
  readonly lastAccessMs: number | undefined;
  readonly isPinned: boolean;
}

/** `base × e^(−λ·days since access) × log2(accesses + 1) × type weight`, at most 1 (DESIGN §13). */
export function relevanceOf(memory: Fading, nowMs: number, config: Config['decay']): number {
  const sinceMs = memory.lastAccessMs ?? memory.createdMs;
  if (!config.enabled || memory.isPinned || memory.store === 'vault' || sinceMs === undefined) return 1;
  const days = Math.max(0, nowMs - sinceMs) / DAY_MS;
  const habit = Math.log2(memory.accesses + 2);
  const faded = Math.exp(-config.lambda_per_day * days);
  return Math.min(1, baseOf(memory.source, config) * faded * habit * typeWeight(memory.store, config));
}

export function statusOf(relevance: number, config: Config['decay']): DecayStatus {
  if (relevance >= config.active_min) return 'active';
  if (relevance >= config.fading_min) return 'fading';
  return relevance >= config.dormant_min ? 'dormant' : 'faint';
}

/** What a person said to remember holds longest; what was concluded, shortest. */
function baseOf(source: Source, { base }: Config['decay']): number {
  if (source === 'user-explicit' || source === 'import') return base.explicit;
  return source === 'inferred' || source === 'reflection' ? base.inferred : base.detected;
}

function typeWeight(store: Store, { type_weights: weights }: Config['decay']): number {
  if (store === 'core' || store === 'identity') return weights.core;
  if (store === 'semantic' || store === 'procedural' || store === 'episodic') return weights[store];
  return store === 'journal' ? weights.episodic : weights.procedural;
}
