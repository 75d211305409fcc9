import type { KnowledgeKind } from '../../../model/knowledge.ts';
import { WEIGHTS } from './weights.ts';

/** In the order in which the fitted weights count them; nothing worth keeping comes first. */
export const OUTCOMES = [
  'none',
  'decision',
  'lesson',
  'person',
  'procedure',
  'fact',
  'preference',
  'task',
  'correction',
] as const satisfies readonly ('none' | KnowledgeKind)[];
export type Outcome = (typeof OUTCOMES)[number];

/** One letter per outcome in the weights' notation, in the same order. */
export const OUTCOME_LETTERS = 'ndlprfetc';
/** Weights are written as whole numbers of this part of one. */
export const WEIGHT_UNIT = 0.05;

let table: ReadonlyMap<string, Float64Array> | undefined;

/** How likely each outcome is for a statement with these features: they sum to one. */
export function chancesOf(features: readonly string[]): Readonly<Record<Outcome, number>> {
  table ??= parseWeights(WEIGHTS);
  const sums = new Float64Array(OUTCOMES.length);
  for (const feature of ['bias', ...features]) {
    const weights = table.get(feature);
    if (weights === undefined) continue;
    for (const [place, weight] of weights.entries()) sums[place] = (sums[place] ?? 0) + weight;
  }
  const highest = Math.max(...sums);
  const powers = sums.map((value) => Math.exp(value - highest));
  const total = powers.reduce((one, other) => one + other, 0);
  return Object.fromEntries(OUTCOMES.map((outcome, place) => [outcome, (powers[place] ?? 0) / total])) as Record<
    Outcome,
    number
  >;
}

function parseWeights(written: string): Map<string, Float64Array> {
  const parsed = new Map<string, Float64Array>();
  for (const entry of written.split(/\s+/u)) {
    const cut = entry.lastIndexOf('=');
    if (cut <= 0) continue;
    const weights = new Float64Array(OUTCOMES.length);
    for (const [, letter = '', value] of entry.slice(cut + 1).matchAll(/([a-z])(-?\d+)/gu)) {
      weights[OUTCOME_LETTERS.indexOf(letter)] = Number(value) * WEIGHT_UNIT;
    }
    parsed.set(entry.slice(0, cut), weights);
  }
  return parsed;
}
