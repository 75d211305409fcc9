import type { Config } from '../../model/config/schema.ts';
import type { Store } from '../../model/provenance.ts';
import { AGES, whyOverAge } from '../retention/ages.ts';
import { type Candidate, type SurveyedMemory, ageDays, idleDays, importanceOf } from './memory.ts';

/** Stores that a machine may suggest to archive from. Procedures, notes, identity, topics and the vault belong to people. */
const ARCHIVED_STORES: ReadonlySet<Store> = new Set(['core', 'episodic', 'journal', 'semantic']);
/** Types that tie the graph together, or tell the origin of something. */
const KEPT_TYPES: ReadonlySet<string> = new Set(['relation', 'summary', 'decision']);

/** A week or a month of the journal. */
const ROLL_UP = /^memory\/journal\/(?:weekly|monthly)\//u;

export interface ForgettingRules {
  readonly decay: Config['decay'];
  readonly retention: Config['retention'];
}

/** True for superseded facts: their weight is that of their replacement, and the chain proves them wherever they lie. */
export function hasEnded({ store, type }: Pick<SurveyedMemory, 'store' | 'type'>): boolean {
  return store === 'semantic' && type === 'superseded';
}

/** Why no machine suggests to put it away, as the end of a sentence; undefined when one may. */
export function whyKept(memory: SurveyedMemory): string | undefined {
  const { store, source, type, isPinned, path } = memory;
  if (isPinned) return 'it is pinned';
  if (memory.isStanding === true) return 'it is a rule, who the user is, or what must never be wrong';
  if (!ARCHIVED_STORES.has(store)) return `it is in the ${store} store, which only people tidy`;
  if (ROLL_UP.test(path)) return 'it condenses days that leave before it';
  if (hasEnded(memory)) return undefined;
  const importance = importanceOf(memory);
  if (importance >= AGES.highMin) return 'it is important';
  if (store === 'semantic' && KEPT_TYPES.has(type)) return `it is a ${type}`;
  const isAskedFor = source === 'user-explicit' && importance > AGES.lowMax;
  return store === 'semantic' && isAskedFor ? 'the user asked to remember it' : undefined;
}

/** Everything that could be put away, the least relevant first. Nothing is changed by this. */
export function findCandidates(
  memories: readonly SurveyedMemory[],
  nowMs: number,
  rules: ForgettingRules,
): readonly Candidate[] {
  return memories
    .flatMap((memory) => {
      const reason = whyArchived(memory, nowMs, rules);
      return reason === undefined || whyKept(memory) !== undefined ? [] : [{ memory, reason }];
    })
    .toSorted((left, right) => left.memory.relevance - right.memory.relevance || compareIds(left, right));
}

/** The reason to archive a memory; undefined without one. */
export function whyArchived(
  memory: SurveyedMemory,
  nowMs: number,
  { decay, retention }: Pick<ForgettingRules, 'decay' | 'retention'>,
): string | undefined {
  if (ageDays(memory, nowMs) < decay.grace_days) return undefined;
  if (memory.status === 'faint') {
    return `faint: untouched for ${Math.floor(idleDays(memory, nowMs))} days`;
  }
  // Core memory makes room by its caps; what is to be done and what was replaced is rarely used and no garbage for that.
  if (memory.store === 'core' || memory.type === 'task' || hasEnded(memory)) return undefined;
  return whyOverAge(memory, nowMs, retention) ?? whyGarbage(memory, nowMs);
}

function compareIds(left: Candidate, right: Candidate): number {
  return left.memory.id < right.memory.id ? -1 : left.memory.id > right.memory.id ? 1 : 0;
}

/**
 * S3's weights: use counts most. The age part halves in seven days, so after `minAgeDays` only use and importance speak for a
 * memory; a score below `maxScore` means that it has neither.
 */
export const GARBAGE = {
  recencyWeight: 0.3,
  accessWeight: 0.4,
  importanceWeight: 0.3,
  halfLifeDays: 7,
  maxScore: 0.2,
  minAgeDays: 30,
} as const;

export interface GcScore {
  readonly recency: number;
  readonly access: number;
  readonly importance: number;
  readonly score: number;
}

/** The value of keeping a memory at hand: by age, use and importance (S3). */
export function gcScore(memory: Pick<SurveyedMemory, 'createdMs' | 'use' | 'importance'>, nowMs: number): GcScore {
  const recency = 2 ** (-ageDays(memory, nowMs) / GARBAGE.halfLifeDays);
  // The first use says most; no memory has to compete with the most used one.
  const access = 1 - 1 / (1 + (memory.use?.count ?? 0));
  const importance = importanceOf(memory);
  return {
    recency,
    access,
    importance,
    score: GARBAGE.recencyWeight * recency + GARBAGE.accessWeight * access + GARBAGE.importanceWeight * importance,
  };
}

/** Why it is not worth keeping at hand; undefined when it is. */
export function whyGarbage(memory: SurveyedMemory, nowMs: number): string | undefined {
  if (ageDays(memory, nowMs) <= GARBAGE.minAgeDays) return undefined;
  const { score } = gcScore(memory, nowMs);
  if (score >= GARBAGE.maxScore) return undefined;
  const age = Math.floor(ageDays(memory, nowMs));
  return `old, unused and not important: score ${score.toFixed(2)} after ${age} days`;
}
