/**
 * Fits the weights of src/memory/graph/likeness/weights.ts on the labelled pairs, and says how far to believe them: how pairs are
 * judged by what was fitted on the others, a tenth left out at a time, and a writer left out at a time.
 *
 *   node bench/graph-fit.ts [--write] [--show]
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { progress } from './support.ts';
import { exampleOf, fitWeights, leaveOut, leaveWriterOut } from './graph/fitting.ts';
import { FITTED_PAIRS, readPairs, type Pair } from './graph/pairs.ts';

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

function show([score, pair]: Scored): void {
  const { id, a, b, same } = pair;
  const { values } = exampleOf(pair);
  const names = `${a.name} [${a.aliases.join()}] | ${b.name} [${b.aliases.join()}]`;
  const features = Object.entries(values).flatMap(([name, value]) =>
    value === 0 || name.includes(':') ? [] : [value === 1 ? name : `${name} ${value.toFixed(2)}`],
  );
  process.stdout.write(
    `${id} ${same ? 'SAME' : 'DIFF'} ${score.toFixed(2)} ${names} | ${features.join(' ')} | ${a.context} | ${b.context}\n`,
  );
}

const all = (await Promise.all(FITTED_PAIRS.map(readPairs))).flat();
progress('fitting');
report('a tenth left out at a time', leaveOut(all));
const byWriter = leaveWriterOut(all);
report('a writer left out at a time', byWriter);
for (const set of FITTED_PAIRS)
  report(
    `… ${set}`,
    byWriter.filter(([, pair]) => pair.set === set),
  );
if (options.show) for (const scored of byWriter) if (scored[1].same !== scored[0] >= 0.7) show(scored);
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
