import { importanceLevel, whyOverAge } from '../retention/ages.ts';
import { whyKept, type ForgettingRules } from './candidates.ts';
import { ageDays, idleDays, importanceOf, type Candidate, type SurveyedMemory } from './memory.ts';

/** S1 §10.3: by age, by how little it has to do with the present, by importance, by use. */
export const STRATEGIES = ['age', 'relevance', 'importance', 'access'] as const;
export type Strategy = (typeof STRATEGIES)[number];

/** A memory used or written within this time does not count as forgotten (S1). */
const MIN_IDLE_DAYS = 30;
/** S1's limit: two months without a use. */
const MAX_FORGETTING_SCORE = 30;
/** Of what has lain idle, the part that has least to do with what is talked about. */
const FARTHEST_SHARE = 0.2;

export interface StrategyWorld extends ForgettingRules {
  readonly nowMs: number;
  /** Likeness to what was talked about lately; undefined where nothing can be compared. Only for `relevance`. */
  readonly likenessOf?: ((memory: SurveyedMemory) => number | undefined) | undefined;
}

/** The memories that a strategy would archive, in order. Nothing is changed by this. */
export function applyStrategy(
  strategy: Strategy,
  memories: readonly SurveyedMemory[],
  world: StrategyWorld,
): readonly Candidate[] {
  return RULES[strategy](
    memories.filter((memory) => whyKept(memory) === undefined),
    world,
  );
}

type Rule = (memories: readonly SurveyedMemory[], world: StrategyWorld) => readonly Candidate[];

const byAge: Rule = (memories, { nowMs, retention }) =>
  sorted(
    memories.flatMap((memory) => {
      const reason = whyOverAge(memory, nowMs, retention);
      return reason === undefined ? [] : [{ memory, reason, rank: -ageDays(memory, nowMs) }];
    }),
  );

const byImportance: Rule = (memories, { nowMs }) =>
  sorted(
    memories
      .filter((memory) => importanceLevel(importanceOf(memory)) === 'low')
      .filter((memory) => idleDays(memory, nowMs) > MIN_IDLE_DAYS)
      .map((memory) => ({
        memory,
        reason: `importance ${importanceOf(memory).toFixed(2)}, untouched for ${days(idleDays(memory, nowMs))}`,
        rank: importanceOf(memory),
      })),
  );

/** S1's forgetting curve: `days × ½ + ½ ÷ (uses a day + 1)`. */
export function forgettingScore(memory: SurveyedMemory, nowMs: number): number {
  const idle = idleDays(memory, nowMs);
  const usesADay = (memory.use?.count ?? 0) / Math.max(idle, 1);
  return idle * 0.5 + 0.5 / (usesADay + 1);
}

const byAccess: Rule = (memories, { nowMs }) =>
  sorted(
    memories
      .map((memory) => ({ memory, score: forgettingScore(memory, nowMs) }))
      .filter(({ score }) => score > MAX_FORGETTING_SCORE)
      .map(({ memory, score }) => ({
        memory,
        reason: `not used for ${days(idleDays(memory, nowMs))} (forgetting score ${score.toFixed(1)})`,
        rank: -score,
      })),
  );

/** Selects the memories farthest from recent activity. A share, not a limit: likeness differs between models. */
const byRelevance: Rule = (memories, { nowMs, likenessOf }) => {
  const idle = memories.flatMap((memory) => {
    const likeness = idleDays(memory, nowMs) > MIN_IDLE_DAYS ? likenessOf?.(memory) : undefined;
    if (likeness === undefined || memory.status === 'active') return [];
    return [{ memory, reason: `little to do with the last weeks (likeness ${likeness.toFixed(2)})`, rank: likeness }];
  });
  return sorted(idle).slice(0, Math.ceil(idle.length * FARTHEST_SHARE));
};

const RULES: Readonly<Record<Strategy, Rule>> = {
  age: byAge,
  importance: byImportance,
  access: byAccess,
  relevance: byRelevance,
};

function sorted(found: readonly (Candidate & { readonly rank: number })[]): readonly Candidate[] {
  return found.toSorted((left, right) => left.rank - right.rank).map(({ memory, reason }) => ({ memory, reason }));
}

function days(count: number): string {
  const whole = Math.floor(count);
  return `${whole} ${whole === 1 ? 'day' : 'days'}`;
}
