import type { Config } from '../../model/config/schema.ts';
import type { Source, Store } from '../../model/provenance.ts';
import { DAY_MS } from '../../model/time.ts';

/** The end of all dates: later years are not used. */
const END_OF_DATES_MS = Date.UTC(9999, 0);

/**
 * The fixed part of fading; the pace is `decay` in the settings. S4's figures: what the user asked for holds twice as long as what
 * was concluded, core memory longest, episodes shortest. Below `dormantMin` archiving is proposed.
 */
export const FADING = {
  base: { explicit: 1, detected: 0.7, inferred: 0.5 },
  typeWeights: { core: 1.5, episodic: 0.8, semantic: 1.2, procedural: 1 },
  activeMin: 0.5,
  fadingMin: 0.2,
  dormantMin: 0.05,
} as const;

export const DECAY_STATUSES = ['active', 'fading', 'dormant', 'faint'] as const;
export type DecayStatus = (typeof DECAY_STATUSES)[number];

/** The factors of fading. Creation counts as one access. */
export interface Fading {
  readonly store: Store;
  readonly source: Source;
  readonly createdMs: number | undefined;
  readonly accesses: number;
  readonly lastAccessMs: number | undefined;
  readonly isPinned: boolean;
  /** A rule, who the user is, or what must never be wrong. */
  readonly isStanding?: boolean | undefined;
}

/** The formula's parts, for whoever wants to know where a number comes from. */
export interface RelevanceParts {
  readonly base: number;
  readonly daysSinceAccess: number;
  /** `e^(−λ·days)`, of the days after the grace. */
  readonly faded: number;
  /** `log2(accesses + 1)`, creation being one. */
  readonly habit: number;
  readonly typeWeight: number;
  /** Their product, at most 1. */
  readonly relevance: number;
}

/** `base × e^(−λ·(days since access − grace)) × log2(accesses + 1) × type weight`, at most 1 (DESIGN §13). */
export function relevanceOf(memory: Fading, nowMs: number, config: Config['decay']): number {
  return relevanceParts(memory, nowMs, config)?.relevance ?? 1;
}

/** Undefined for what does not fade. */
export function relevanceParts(memory: Fading, nowMs: number, config: Config['decay']): RelevanceParts | undefined {
  const sinceMs = lastTouch(memory);
  if (sinceMs === undefined || whyNotFading(memory, config) !== undefined) return undefined;
  const daysSinceAccess = Math.max(0, nowMs - sinceMs) / DAY_MS;
  const faded = Math.exp(-config.lambda_per_day * Math.max(0, daysSinceAccess - config.grace_days));
  const parts = { base: baseOf(memory.source), habit: habitOf(memory), typeWeight: weightOf(memory) };
  const relevance = Math.min(1, parts.base * faded * parts.habit * parts.typeWeight);
  return { ...parts, daysSinceAccess, faded, relevance };
}

/** Why it keeps its full relevance whatever the time, as a sentence's end. */
export function whyNotFading(memory: Fading, config: Config['decay']): string | undefined {
  if (memory.isPinned) return 'it is pinned';
  if (memory.store === 'vault') return 'it is in the vault';
  if (memory.isStanding === true) return 'it is a rule, who the user is, or what must never be wrong';
  if (config.lambda_per_day === 0) return 'decay.lambda_per_day is 0';
  return lastTouch(memory) === undefined ? 'nobody knows when it was written' : undefined;
}

/** When it falls below a relevance if nothing happens; undefined when it never does. */
export function fallsBelowMs(memory: Fading, threshold: number, config: Config['decay']): number | undefined {
  const sinceMs = lastTouch(memory);
  if (sinceMs === undefined || whyNotFading(memory, config) !== undefined) return undefined;
  const start = baseOf(memory.source) * habitOf(memory) * weightOf(memory);
  if (start < threshold) return sinceMs;
  if (threshold <= 0) return undefined;
  const atMs = sinceMs + (config.grace_days + Math.log(start / threshold) / config.lambda_per_day) * DAY_MS;
  return atMs < END_OF_DATES_MS ? atMs : undefined;
}

export function statusOf(relevance: number): DecayStatus {
  if (relevance >= FADING.activeMin) return 'active';
  if (relevance >= FADING.fadingMin) return 'fading';
  return relevance >= FADING.dormantMin ? 'dormant' : 'faint';
}

/** The later of the two: what is written down again was in somebody's mind. */
function lastTouch({ createdMs, lastAccessMs }: Fading): number | undefined {
  if (createdMs === undefined || lastAccessMs === undefined) return lastAccessMs ?? createdMs;
  return Math.max(createdMs, lastAccessMs);
}

function habitOf({ accesses }: Fading): number {
  return Math.log2(accesses + 2);
}

/** The user's explicit requests hold longest; conclusions, shortest. */
function baseOf(source: Source): number {
  const { base } = FADING;
  if (source === 'user-explicit' || source === 'import') return base.explicit;
  return source === 'inferred' || source === 'reflection' ? base.inferred : base.detected;
}

function weightOf({ store }: Fading): number {
  const { typeWeights: weights } = FADING;
  if (store === 'core' || store === 'identity') return weights.core;
  if (store === 'semantic' || store === 'procedural' || store === 'episodic') return weights[store];
  return store === 'journal' ? weights.episodic : weights.procedural;
}
