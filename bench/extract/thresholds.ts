import { KNOWLEDGE_KINDS, type KnowledgeKind } from '../../src/model/knowledge.ts';
import type { Guess } from './cross.ts';

export type Thresholds = Readonly<Record<KnowledgeKind, number>>;

/** No kind may be wrong more often than this. */
const MIN_KIND_PRECISION = 0.8;
/** Fewer right guesses than this may be luck. */
const MIN_RIGHT = 8;
/** A chance no statement reaches: the kind is left to plain forms. */
const NEVER = 1.01;

/** The lowest thresholds at which so much of what is kept is right: the price of a wrong guess rises until it is. */
export function findThresholds(guesses: readonly Guess[], precision: number): Thresholds {
  const byKind = KNOWLEDGE_KINDS.map((kind) => ({
    kind,
    ranked: guesses
      .filter((guess) => guess.kind === kind && guess.verdict !== 'neutral')
      .sort((one, other) => other.chance - one.chance),
  }));
  let best: readonly (readonly [KnowledgeKind, number])[] = byKind.map(({ kind }) => [kind, NEVER]);
  for (let price = 40; price > 0.1; price *= 0.97) {
    const tried = byKind.map(({ kind, ranked }) => [kind, thresholdFor(ranked, price)] as const);
    const { right, kept } = countKept(guesses, Object.fromEntries(tried) as Record<KnowledgeKind, number>);
    if (kept > 0 && right / kept >= precision) best = tried;
  }
  return Object.fromEntries(best) as Record<KnowledgeKind, number>;
}

function thresholdFor(ranked: readonly Guess[], price: number): number {
  let right = 0;
  let gain = 0;
  let bestGain = 0;
  let threshold = NEVER;
  for (const [place, guess] of ranked.entries()) {
    if (guess.verdict === 'right') right += 1;
    gain += guess.verdict === 'right' ? 1 : -price;
    if (gain <= bestGain || right < MIN_RIGHT || right / (place + 2) < MIN_KIND_PRECISION) continue;
    bestGain = gain;
    threshold = guess.chance;
  }
  return threshold;
}

export interface Kept {
  readonly right: number;
  readonly misfiled: number;
  readonly kept: number;
}

export function countKept(guesses: readonly Guess[], thresholds: Thresholds, only?: KnowledgeKind): Kept {
  let right = 0;
  let misfiled = 0;
  let kept = 0;
  for (const { kind, chance, verdict } of guesses) {
    if (verdict === 'neutral' || chance < thresholds[kind] || (only !== undefined && kind !== only)) continue;
    kept += 1;
    if (verdict === 'right') right += 1;
    if (verdict === 'misfiled') misfiled += 1;
  }
  return { right, misfiled, kept };
}
