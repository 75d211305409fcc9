/**
 * Fits the weights of src/memory/graph/likeness/weights.ts on the labelled pairs, and says how far to believe them: how pairs are
 * judged by what was fitted on the others, a tenth left out at a time, and on the set of the other writer.
 *
 *   node bench/graph-fit.ts [--write] [--show]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { featuresOf } from '../src/memory/graph/likeness/sameness.ts';
import { progress } from './support.ts';
import { fitWeights, leaveOut, scoreOf, type Example } from './graph/fitting.ts';
import { readPairs, type Pair } from './graph/pairs.ts';

const { values: options } = parseArgs({
  options: { write: { type: 'boolean', default: false }, show: { type: 'boolean', default: false } },
});

type Scored = readonly [number, Pair];

function report(title: string, scored: readonly Scored[]): void {
  const positives = scored.filter(([, pair]) => pair.same).length;
  const lines = [0.3, 0.4, 0.5, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85].map((threshold) => {
    const taken = scored.filter(([score]) => score >= threshold);
    const right = taken.filter(([, pair]) => pair.same).length;
    return `≥ ${threshold}: precision ${(right / taken.length).toFixed(3)} recall ${(right / positives).toFixed(3)}`;
  });
  process.stdout.write(`${title} (${scored.length})\n  ${lines.join('\n  ')}\n`);
}

function show([score, { id, a, b, same, likeness }]: Scored): void {
  const { relation } = featuresOf(a, b, likeness);
  const names = `${a.name} | ${b.name} | ${relation} | ${a.context} | ${b.context}`;
  process.stdout.write(`${id} ${same ? 'SAME' : 'DIFF'} ${score.toFixed(2)} ${names}\n`);
}

const [first, second] = [await readPairs('pairs-a.jsonl'), await readPairs('pairs-b.jsonl')];
const all = [...first, ...second];
progress('fitting ten times');
const leftOut = leaveOut(all);
report('a tenth left out at a time', leftOut);
const [onFirst, onSecond] = [fitWeights(first.map(exampleOf)), fitWeights(second.map(exampleOf))];
report(
  'fitted on a, judged on b',
  second.map((pair): Scored => [scoreOf(onFirst, exampleOf(pair)), pair]),
);
report(
  'fitted on b, judged on a',
  first.map((pair): Scored => [scoreOf(onSecond, exampleOf(pair)), pair]),
);
if (options.show) for (const scored of leftOut) if (scored[1].same !== scored[0] >= 0.7) show(scored);
const weights = fitWeights(all.map(exampleOf));
if (options.show) {
  for (const [name, weight] of Object.entries(weights).sort(([, x], [, y]) => y - x)) {
    process.stdout.write(`${name.padEnd(20)} ${weight.toFixed(2)}\n`);
  }
}
if (options.write) {
  const lines = Object.entries(weights)
    .sort(([x], [y]) => (x < y ? -1 : 1))
    .map(([name, weight]) => `  ${/^\w+$/u.test(name) ? name : `'${name}'`}: ${Number(weight.toFixed(3))},`);
  const text = `/** Fitted by \`node bench/graph-fit.ts --write\`. */\nexport const WEIGHTS: Readonly<Record<string, number>> = {\n${lines.join('\n')}\n};\n`;
  fs.writeFileSync(path.join(import.meta.dirname, '../src/memory/graph/likeness/weights.ts'), text);
}

function exampleOf(pair: Pair): Example {
  return { pair, values: featuresOf(pair.a, pair.b, pair.likeness).values };
}
