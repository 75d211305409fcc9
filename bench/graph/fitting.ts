import { featuresOf } from '../../src/memory/graph/likeness/sameness.ts';
import type { Pair } from './pairs.ts';

/** Logistic regression over features by name, with a penalty that keeps what few pairs speak for small. */
export interface Example {
  readonly pair: Pair;
  readonly values: Readonly<Record<string, number>>;
}

export type Weights = Readonly<Record<string, number>>;

const PENALTY = 0.004;
const ROUNDS = 2000;
const RATE = 0.4;
const FOLDS = 10;

export function scoreOf(weights: Weights, { values }: Pick<Example, 'values'>): number {
  let sum = 0;
  for (const [name, value] of Object.entries(values)) sum += value * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

export function fitWeights(examples: readonly Example[]): Record<string, number> {
  const names = [...new Set(examples.flatMap(({ values }) => Object.keys(values)))];
  const place = new Map(names.map((name, index) => [name, index]));
  const rows = examples.map(({ pair, values }) => ({
    isPositive: pair.same ? 1 : 0,
    entries: Object.entries(values)
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => [place.get(name) ?? 0, value] as const),
  }));
  const weights = new Float64Array(names.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = new Float64Array(names.length);
    for (const { isPositive, entries } of rows) {
      const sum = entries.reduce((total, [at, value]) => total + value * (weights[at] ?? 0), 0);
      const error = 1 / (1 + Math.exp(-sum)) - isPositive;
      for (const [at, value] of entries) slope[at] = (slope[at] ?? 0) + error * value;
    }
    for (let at = 0; at < weights.length; at += 1) {
      const penalty = names[at] === 'bias' ? 0 : PENALTY * (weights[at] ?? 0);
      weights[at] = (weights[at] ?? 0) - RATE * ((slope[at] ?? 0) / rows.length + penalty);
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, weights[index] ?? 0]));
}

/** Every pair judged by weights that were fitted without it. */
export function leaveOut(pairs: readonly Pair[]): (readonly [number, Pair])[] {
  const examples = pairs.map((pair) => ({ pair, values: featuresOf(pair.a, pair.b, pair.likeness).values }));
  const folds = Array.from({ length: FOLDS }, (_, fold) =>
    fitWeights(examples.filter((_example, at) => at % FOLDS !== fold)),
  );
  return examples.map((example, at) => [scoreOf(folds[at % FOLDS] ?? {}, example), example.pair]);
}
