import { featuresOf, settle } from '../../src/memory/graph/likeness/sameness.ts';
import type { NameRelation } from '../../src/memory/graph/likeness/name-relation.ts';
import type { Pair } from './pairs.ts';

/** Logistic regression over features by name, with a penalty that keeps what few pairs speak for small. */
export interface Example {
  readonly pair: Pair;
  readonly values: Readonly<Record<string, number>>;
  readonly relation: NameRelation;
}

type Weights = Readonly<Record<string, number>>;

const PENALTY = 0.004;
const ROUNDS = 2000;
const RATE = 0.4;
const FOLDS = 10;

export function exampleOf(pair: Pair): Example {
  return { pair, ...featuresOf(pair.a, pair.b, pair.signs) };
}

function scoreOf(weights: Weights, { values, relation, pair }: Example): number {
  let sum = 0;
  for (const [name, value] of Object.entries(values)) sum += value * (weights[name] ?? 0);
  return settle(1 / (1 + Math.exp(-sum)), relation, pair.signs);
}

/** Writers invent namesakes by the dozen; in a memory the same name twice is one or two about as often. */
function importanceOf(examples: readonly Example[]): (example: Example) => number {
  const isTwice = ({ relation }: Example): boolean => relation.endsWith('identical');
  const twice = examples.filter(isTwice);
  const same = twice.filter(({ pair }) => pair.same).length;
  const others = Math.max(1, twice.length - same);
  return (example) => (isTwice(example) && !example.pair.same ? Math.min(1, (same + FEW) / others) : 1);
}

const FEW = 10;

export function fitWeights(examples: readonly Example[]): Record<string, number> {
  const names = [...new Set(examples.flatMap(({ values }) => Object.keys(values)))];
  const place = new Map(names.map((name, index) => [name, index]));
  const importance = importanceOf(examples);
  const rows = examples.map((example) => ({
    isPositive: example.pair.same ? 1 : 0,
    importance: importance(example),
    entries: Object.entries(example.values)
      .filter(([, value]) => value !== 0)
      .map(([name, value]) => [place.get(name) ?? 0, value] as const),
  }));
  const weights = new Float64Array(names.length);
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = new Float64Array(names.length);
    for (const { isPositive, entries, importance: counts } of rows) {
      const sum = entries.reduce((total, [at, value]) => total + value * (weights[at] ?? 0), 0);
      const error = (1 / (1 + Math.exp(-sum)) - isPositive) * counts;
      for (const [at, value] of entries) slope[at] = (slope[at] ?? 0) + error * value;
    }
    for (let at = 0; at < weights.length; at += 1) {
      const penalty = names[at] === 'bias' ? 0 : PENALTY * (weights[at] ?? 0);
      weights[at] = (weights[at] ?? 0) - RATE * ((slope[at] ?? 0) / rows.length + penalty);
    }
  }
  return Object.fromEntries(names.map((name, index) => [name, weights[index] ?? 0]));
}

/** Every pair judged by weights that were fitted without its tenth. */
export function leaveOut(pairs: readonly Pair[]): (readonly [number, Pair])[] {
  const examples = pairs.map(exampleOf);
  const folds = Array.from({ length: FOLDS }, (_, fold) =>
    fitWeights(examples.filter((_example, at) => at % FOLDS !== fold)),
  );
  return examples.map((example, at) => [scoreOf(folds[at % FOLDS] ?? {}, example), example.pair]);
}

/** Every pair judged by weights that were fitted on the other writers' pairs. */
export function leaveWriterOut(pairs: readonly Pair[]): (readonly [number, Pair])[] {
  const examples = pairs.map(exampleOf);
  return [...new Set(pairs.map(({ set }) => set))].flatMap((set) => {
    const weights = fitWeights(examples.filter(({ pair }) => pair.set !== set));
    const own = examples.filter(({ pair }) => pair.set === set);
    return own.map((example) => [scoreOf(weights, example), example.pair] as const);
  });
}
