/**
 * Fits the weights of src/memory/graph/likeness/weights.ts on pairs-a.jsonl, and says how they do on pairs they have not
 * seen: those left out in turn, and all of pairs-b.jsonl.
 *
 *   node bench/graph/fit.ts [--write] [--show]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf } from '../../src/memory/graph/likeness/sameness.ts';
import { readPairs, type Pair } from './pairs.ts';

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
});

interface Example {
  readonly pair: Pair;
  readonly values: Readonly<Record<string, number>>;
}

const PENALTY = 0.02;
const ROUNDS = 3000;
const RATE = 0.3;
const FOLDS = 8;
const folds = new Map<number, Record<string, number>>();

function examplesOf(pairs: readonly Pair[]): Example[] {
  return pairs.map((pair) => ({ pair, values: featuresOf(pair.a, pair.b, pair.likeness).values }));
}

function scoreOf(weights: Readonly<Record<string, number>>, { values }: Example): number {
  let sum = 0;
  for (const [name, value] of Object.entries(values)) sum += value * (weights[name] ?? 0);
  return 1 / (1 + Math.exp(-sum));
}

function fit(examples: readonly Example[]): Record<string, number> {
  const weights: Record<string, number> = {};
  for (const { values } of examples) for (const name of Object.keys(values)) weights[name] = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope: Record<string, number> = {};
    for (const example of examples) {
      const error = scoreOf(weights, example) - (example.pair.same ? 1 : 0);
      for (const [name, value] of Object.entries(example.values)) slope[name] = (slope[name] ?? 0) + error * value;
    }
    for (const name of Object.keys(weights)) {
      const penalty = name === 'bias' ? 0 : PENALTY * (weights[name] ?? 0);
      weights[name] = (weights[name] ?? 0) - RATE * ((slope[name] ?? 0) / examples.length + penalty);
    }
  }
  return weights;
}

function report(title: string, scored: readonly (readonly [number, Pair])[]): void {
  const positives = scored.filter(([, pair]) => pair.same).length;
  const lines = [0.4, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8].map((threshold) => {
    const taken = scored.filter(([score]) => score >= threshold);
    const right = taken.filter(([, pair]) => pair.same).length;
    return `≥ ${threshold}: precision ${(right / taken.length).toFixed(3)} recall ${(right / positives).toFixed(3)}`;
  });
  process.stdout.write(`${title} (${scored.length})\n  ${lines.join('\n  ')}\n`);
}

const seen = examplesOf(await readPairs('pairs-a.jsonl'));
const unseen = examplesOf(await readPairs('pairs-b.jsonl'));
const leftOut = seen.map((example, index): readonly [number, Pair] => {
  const others = seen.filter((_other, at) => at % FOLDS !== index % FOLDS);
  return [scoreOf(foldWeights(index % FOLDS, others), example), example.pair];
});
report('left out in turn', leftOut);
const weights = fit(seen);
report(
  'pairs-b, never fitted on',
  unseen.map((example) => [scoreOf(weights, example), example.pair]),
);
if (options.show) {
  for (const [score, { id, a, b, same }] of leftOut) {
    if (same === score >= 0.6) continue;
    process.stdout.write(
      `${id} ${same ? 'SAME' : 'DIFF'} ${score.toFixed(2)} ${a.name} | ${b.name} | ${relationOf(a, b)} | ${a.context} | ${b.context}\n`,
    );
  }
}
for (const [name, weight] of Object.entries(weights).sort(([, x], [, y]) => y - x)) {
  if (options.show) process.stdout.write(`${name.padEnd(20)} ${weight.toFixed(2)}\n`);
}
if (options.write) {
  const lines = Object.entries(weights)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, weight]) => `  '${name}': ${weight.toFixed(3)},`);
  const text = `/** Fitted by \`node bench/graph/fit.ts --write\`. */\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${lines.join('\n')}\n};\n`;
  fs.writeFileSync(path.join(import.meta.dirname, '../../src/memory/graph/likeness/weights.ts'), text);
}

function foldWeights(fold: number, others: readonly Example[]): Record<string, number> {
  const known = folds.get(fold) ?? fit(others);
  folds.set(fold, known);
  return known;
}

function relationOf(a: Pair['a'], b: Pair['b']): string {
  return featuresOf(a, b, 0).relation;
}
