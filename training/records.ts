/**
 * Fits how the model's chance, the relation of the names and the likeness of what is known weigh when two records are
 * compared, and prints what pairs get whose author is left out. Numbers go into src/memory/graph/likeness/sameness.ts.
 *
 *   node training/records.ts --answers FILE [--answers FILE …]
 *
 * The answers are those of the stage `judge` with `--fold`: chances of a model that has not seen the author.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { FITTED_PAIRS, parseRecord, readPairs } from '../bench/graph/pairs.ts';
import { packagedJudge } from '../src/judge/judge.ts';
import { signsOf, type Bearer, type Signs } from '../src/memory/graph/likeness/sameness.ts';

interface Example {
  readonly author: string;
  readonly isSame: boolean;
  readonly values: Readonly<Record<string, number>>;
}

const PENALTY = 0.0004;
const ROUNDS = 1500;
const RATE = 0.3;
const MOMENTUM = 0.95;

const { values: options } = parseArgs({ options: { answers: { type: 'string', multiple: true, default: [] } } });
const FOLDER = path.join(import.meta.dirname, 'data/entities');

/** By author and row: the chance that both are one. */
function readAnswers(files: readonly string[]): Map<string, number> {
  const lines = files.flatMap((file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n'));
  const answers = lines.map((line) => JSON.parse(line) as { task: string; key: string; chances: number[][] });
  return new Map(
    answers.filter(({ task }) => task === 'entities').map(({ key, chances }) => [key, chances[0]?.[0] ?? 0]),
  );
}

function toExample(author: string, isSame: boolean, { relation, likeness, odds }: Signs): Example {
  // A name that is there twice counts neither way.
  const named = relation.endsWith('identical') ? {} : { [relation]: 1 };
  return { author, isSame, values: { bias: 1, odds, likeness, ...named } };
}

async function readExamples(answers: ReadonlyMap<string, number>): Promise<Example[]> {
  const examples: Example[] = [];
  for (const file of fs.readdirSync(FOLDER).filter((name) => name.endsWith('.tsv'))) {
    const author = path.basename(file, '.tsv');
    const lines = fs.readFileSync(path.join(FOLDER, file), 'utf8').split('\n');
    const rows = lines.map((line) => line.split('\t')).filter(({ length }) => length === 4);
    for (const [number, [label, , one = '', other = '']] of rows.entries()) {
      const same = answers.get(`${author}:${number}`);
      if (same === undefined) throw new Error(`no answer for ${author}:${number}`);
      const [left, right]: Bearer[] = [parseRecord(one), parseRecord(other)];
      if (left === undefined || right === undefined) continue;
      const judge = { compareRecords: () => ({ same }) };
      examples.push(toExample(author, label === 'same', await signsOf(left, right, judge)));
    }
  }
  for (const set of FITTED_PAIRS)
    for (const { a, b, same } of readPairs(set))
      examples.push(toExample(set, same, await signsOf(a, b, packagedJudge())));
  return examples;
}

function sumOf(weights: Readonly<Record<string, number>>, { values }: Example): number {
  return Object.entries(values).reduce((sum, [name, value]) => sum + value * (weights[name] ?? 0), 0);
}

/** Logistic regression with a penalty that keeps small what few pairs speak for. */
function fit(examples: readonly Example[]): Record<string, number> {
  const names = [...new Set(examples.flatMap(({ values }) => Object.keys(values)))];
  const rows = examples.map(({ isSame, values }) => ({
    isSame: Number(isSame),
    entries: Object.entries(values).map(([name, value]) => [names.indexOf(name), value] as const),
  }));
  const [weights, steps] = [new Float64Array(names.length), new Float64Array(names.length)];
  for (let round = 0; round < ROUNDS; round += 1) {
    const slope = new Float64Array(names.length);
    for (const { isSame, entries } of rows) {
      let sum = 0;
      for (const [at, value] of entries) sum += value * (weights[at] ?? 0);
      const error = 1 / (1 + Math.exp(-sum)) - isSame;
      for (const [at, value] of entries) slope[at] = (slope[at] ?? 0) + error * value;
    }
    for (const [at, name] of names.entries()) {
      const penalty = name === 'bias' ? 0 : PENALTY * (weights[at] ?? 0);
      steps[at] = MOMENTUM * (steps[at] ?? 0) - RATE * ((slope[at] ?? 0) / rows.length + penalty);
      weights[at] = (weights[at] ?? 0) + (steps[at] ?? 0);
    }
  }
  return Object.fromEntries(names.map((name, at) => [name, weights[at] ?? 0]));
}

const examples = await readExamples(readAnswers(options.answers));
const authors = [...new Set(examples.map(({ author }) => author))];
const scored = authors.flatMap((author) => {
  const weights = fit(examples.filter((example) => example.author !== author));
  const own = examples.filter((example) => example.author === author);
  return own.map((example) => Object.assign(example, { score: 1 / (1 + Math.exp(-sumOf(weights, example))) }));
});
for (const author of ['all', ...authors]) {
  const own = scored.filter((each) => author === 'all' || each.author === author);
  const rates = [0.3, 0.8, 0.85, 0.9, 0.92, 0.94].map((least) => {
    const taken = own.filter(({ score }) => score >= least);
    const right = taken.filter(({ isSame }) => isSame).length;
    return `≥ ${least}: ${(right / taken.length).toFixed(2)} / ${(right / own.filter(({ isSame }) => isSame).length).toFixed(2)}`;
  });
  process.stdout.write(`${author} (${own.length}, precision / recall): ${rates.join('  ')}\n`);
}
for (const [name, weight] of Object.entries(fit(examples))) process.stdout.write(`${name} ${weight.toFixed(2)}\n`);
