import type { Config } from '../../model/config/schema.ts';
import type { Source, Store } from '../../model/provenance.ts';

const DAY_MS = 86_400_000;
/** Nobody writes a later year. */
const END_OF_DATES_MS = Date.UTC(9999, 0);

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
  const parts = { base: baseOf(memory.source, config), habit: habitOf(memory), typeWeight: weightOf(memory, config) };
  const relevance = Math.min(1, parts.base * faded * parts.habit * parts.typeWeight);
  return { ...parts, daysSinceAccess, faded, relevance };
}

/** Why it keeps its full relevance whatever the time, as a sentence's end. */
export function whyNotFading(memory: Fading, config: Config['decay']): string | undefined {
  if (memory.isPinned) return 'it is pinned';
  if (memory.store === 'vault') return 'it is in the vault';
  if (memory.isStanding === true) return 'it is a rule, who the user is, or what must never be wrong';
  if (!config.enabled) return 'decay.enabled is off';
  return lastTouch(memory) === undefined ? 'nobody knows when it was written' : undefined;
}

/** When it falls below a relevance if nothing happens; undefined when it never does. */
export function fallsBelowMs(memory: Fading, threshold: number, config: Config['decay']): number | undefined {
  const sinceMs = lastTouch(memory);
  if (sinceMs === undefined || whyNotFading(memory, config) !== undefined) return undefined;
  const start = baseOf(memory.source, config) * habitOf(memory) * weightOf(memory, config);
  if (start < threshold) return sinceMs;
  if (threshold <= 0 || config.lambda_per_day === 0) return undefined;
  const atMs = sinceMs + (config.grace_days + Math.log(start / threshold) / config.lambda_per_day) * DAY_MS;
  return atMs < END_OF_DATES_MS ? atMs : undefined;
}

export function statusOf(relevance: number, config: Config['decay']): DecayStatus {
  if (relevance >= config.active_min) return 'active';
  if (relevance >= config.fading_min) return 'fading';
  return relevance >= config.dormant_min ? 'dormant' : 'faint';
}

/** The later of the two: what is written down again was in somebody's mind. */
function lastTouch({ createdMs, lastAccessMs }: Fading): number | undefined {
  if (createdMs === undefined || lastAccessMs === undefined) return lastAccessMs ?? createdMs;
  return Math.max(createdMs, lastAccessMs);
}

function habitOf({ accesses }: Fading): number {
  return Math.log2(accesses + 2);
}

/** What a person said to remember holds longest; what was concluded, shortest. */
function baseOf(source: Source, { base }: Config['decay']): number {
  if (source === 'user-explicit' || source === 'import') return base.explicit;
  return source === 'inferred' || source === 'reflection' ? base.inferred : base.detected;
}

function weightOf({ store }: Fading, { type_weights: weights }: Config['decay']): number {
  if (store === 'core' || store === 'identity') return weights.core;
  if (store === 'semantic' || store === 'procedural' || store === 'episodic') return weights[store];
  return store === 'journal' ? weights.episodic : weights.procedural;
}
