/**
 * What the memory makes of pairs of statements, or of records, that somebody has labelled: files in the form of
 * training/data/pairs and training/data/entities (label, why, earlier, later; separated by tabs).
 *
 *   npm run bench:pairs -- --data FILE [--data FILE …] [--records] [--answers FILE …] [--wrong] [--json]
 *
 * With `--answers` the chances of models that have not seen the author are used (the stage `judge` of training/ writes
 * them), instead of the packaged model's, which has learned from training/data.
 */
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { packagedJudge } from '../src/judge/judge.ts';
import { compareBearers } from '../src/memory/graph/likeness/sameness.ts';
import { compareStatements } from '../src/reasoner/heuristic/compare/compare.ts';
import { parseRecord } from './graph/pairs.ts';
import { printResult } from './support.ts';

const { values: options } = parseArgs({
  options: {
    data: { type: 'string', multiple: true, default: [] },
    records: { type: 'boolean', default: false },
    answers: { type: 'string', multiple: true, default: [] },
    /** Lists wrong merges and wrong replacements. */
    wrong: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  },
});

interface Row {
  readonly key: string;
  readonly label: string;
  readonly one: string;
  readonly other: string;
}

const task = options.records ? 'entities' : 'pairs';
const answers = new Map(
  options.answers
    .flatMap((file) => fs.readFileSync(file, 'utf8').trimEnd().split('\n'))
    .map((line) => JSON.parse(line) as { task: string; key: string; chances: number[][] })
    .filter((answer) => answer.task === task)
    .map(({ key, chances }) => [key, chances[0] ?? []]),
);

function readRows(file: string): Row[] {
  const rows = fs
    .readFileSync(file, 'utf8')
    .split('\n')
    .map((line) => line.split('\t'));
  return rows
    .filter(({ length }) => length === 4)
    .map(([label = '', , one = '', other = ''], number) => {
      return { key: `${path.basename(file, '.tsv')}:${number}`, label, one, other: other.trimEnd() };
    });
}

async function verdictOf({ key, one, other }: Row): Promise<string> {
  const recorded = answers.get(key);
  if (options.records) {
    const [same = 0] = recorded ?? [];
    const judge = recorded === undefined ? packagedJudge() : { compareRecords: () => ({ same }) };
    return (await compareBearers(parseRecord(one), parseRecord(other), judge)).verdict;
  }
  const [same = 0, update = 0, opposite = 0, different = 0] = recorded ?? [];
  const judge = { comparePair: () => ({ same, update, opposite, different }) };
  const input = { known: { text: one, saidMs: 1 }, incoming: { text: other, saidMs: 2 }, similarity: 0 };
  return (await compareStatements(input, () => (recorded === undefined ? packagedJudge() : judge))).verdict;
}

const judged: (Row & { readonly verdict: string })[] = [];
for (const row of options.data.flatMap(readRows)) judged.push({ ...row, verdict: await verdictOf(row) });

function countOf(label: string | undefined, verdict: string): number {
  return judged.filter((row) => (label === undefined || row.label === label) && row.verdict === verdict).length;
}

function ratesOf(label: string, verdict: string): { readonly precision: number; readonly recall: number } {
  const right = countOf(label, verdict);
  return {
    precision: right / countOf(undefined, verdict),
    recall: right / judged.filter((row) => row.label === label).length,
  };
}

const labels = [...new Set(judged.map(({ label }) => label))].sort();
const verdicts = [...new Set(judged.map(({ verdict }) => verdict))].sort();
const wrongMerges = judged.filter(({ label, verdict }) => verdict === 'same' && label !== 'same');
const wrongReplaced = judged.filter(({ label, verdict }) => verdict === 'replaces' && label !== 'update');
if (options.wrong)
  for (const { label, verdict, one, other } of [...wrongMerges, ...wrongReplaced])
    process.stderr.write(`${verdict} (${label}): ${one} | ${other}\n`);
printResult(options.json, `pairs of ${task}`, {
  pairs: judged.length,
  table: Object.fromEntries(
    labels.map((label) => [label, Object.fromEntries(verdicts.map((verdict) => [verdict, countOf(label, verdict)]))]),
  ),
  wrongMerges: wrongMerges.length,
  same: ratesOf('same', 'same'),
  ...(options.records
    ? { asked: countOf(undefined, 'unsure') }
    : { replaces: ratesOf('update', 'replaces'), contradicts: ratesOf('opposite', 'contradicts') }),
});
