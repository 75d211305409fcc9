/**
 * How much of what a careful person would keep the extractor keeps, and how little else.
 *
 *   npm run bench:extract -- [--data DIR] [--half odd|even|all] [--session k07] [--wrong] [--quick] [--json]
 *
 * The last part takes all sessions in, in a real home, twice: what the extractor finds, and what the labels say.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { KNOWLEDGE_KINDS, type EntityMention } from '../src/model/knowledge.ts';
import { createHeuristicReasoner } from '../src/reasoner/heuristic/reasoner.ts';
import { judgeSession, ratesByKind, ratesOf, type Judgement } from './extract/judge.ts';
import { judgeMerging, judgeTraps, type Merging, type Wrong } from './extract/merging.ts';
import { runPipeline } from './extract/pipeline.ts';
import { isInHalf, readSample, toConversation, type Half } from './extract/sample.ts';
import { percentile, printResult } from './support.ts';

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    /** A folder with labelled sessions, in the form of bench/data/knowledge. */
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/knowledge') },
    /** Sessions with an odd number were used in development, those with an even one were not. */
    half: { type: 'string', default: 'all' },
    session: { type: 'string' },
    /** The user's name and time zone, as a home would know them. */
    user: { type: 'string', default: 'Ines' },
    zone: { type: 'string', default: 'Europe/Berlin' },
    /** Lists what was wrong and what was missed. */
    wrong: { type: 'boolean', default: false },
    /** Leaves out the homes: duplicates and wrong merges are then unknown. */
    quick: { type: 'boolean', default: false },
  },
});

const reasoner = createHeuristicReasoner();
const judgements: Judgement[] = [];
const tookMs: number[] = [];
const journals: boolean[] = [];
/** A home knows the names of earlier sessions. */
const known = new Map<string, EntityMention>();
for (const sample of readSample(options.data)) {
  const conversation = toConversation(sample, options.user, options.zone, [...known.values()]);
  const startedMs = performance.now();
  const { output } = await reasoner.ask('extract', { conversation, kinds: KNOWLEDGE_KINDS });
  tookMs.push(performance.now() - startedMs);
  for (const entity of output.flatMap(({ entities }) => entities)) known.set(entity.name.toLowerCase(), entity);
  if (!isInHalf(sample, options.half as Half)) continue;
  if (options.session !== undefined && sample.session !== options.session) continue;
  judgements.push(judgeSession(sample, output));
  if (sample.journal !== null) {
    const { output: summary } = await reasoner.ask('summarise', { conversation, maxTokens: 300 });
    const told = [summary.topic, ...summary.points, ...summary.decisions, ...summary.errors, ...summary.next]
      .join('\n')
      .toLowerCase();
    journals.push(sample.journal.must.every((group) => group.some((word) => told.includes(word.toLowerCase()))));
  }
}
if (options.wrong) for (const judgement of judgements) list(judgement);

const found = options.quick ? undefined : await merge('reasoner');
const labelled = options.quick ? undefined : await merge('labels');

const pooled = ratesOf(judgements);
const candidates = judgements.reduce(
  (sum, { right, neutral, duplicates, wrong }) =>
    sum + right.length + neutral.length + duplicates.length + wrong.length,
  0,
);
printResult(options.json, 'Extraction: what a careful person would keep, and nothing else', {
  sessions: judgements.length,
  candidates,
  ...pooled,
  precision: round(pooled.precision),
  recall: round(pooled.recall),
  kinds: Object.fromEntries(
    Object.entries(ratesByKind(judgements)).map(([kind, rates]) => [
      kind,
      { ...rates, precision: round(rates.precision), recall: round(rates.recall) },
    ]),
  ),
  misfiled: judgements.reduce((sum, { misfiled }) => sum + misfiled.length, 0),
  repeated: judgements.reduce((sum, { duplicates }) => sum + duplicates.length, 0),
  duplicateRate: found === undefined ? null : round(found.duplicateRate),
  wrongMergeRate: found === undefined ? null : round(found.wrongMergeRate),
  merging: found === undefined ? null : { found, labelled },
  journalRate: round(journals.filter(Boolean).length / Math.max(1, journals.length)),
  sessionP95Ms: percentile(tookMs, 0.95),
});

/** Takes everything in and judges what the files then hold. */
async function merge(from: 'reasoner' | 'labels'): Promise<Merging & { readonly traps: Record<string, unknown> }> {
  const { user, zone, data } = options;
  const run = await runPipeline(readSample(data), { user, zone, from });
  const { merging, wrong } = judgeMerging(run);
  if (options.wrong) listMerging(from, wrong);
  return { ...merging, traps: { A: judgeTraps(data, 'A', run), B: judgeTraps(data, 'B', run) } };
}

function listMerging(from: string, wrong: readonly Wrong[]): void {
  process.stdout.write(`\n== merging, ${from}\n`);
  for (const { what, statement, other } of wrong)
    process.stdout.write(`  ${what.toUpperCase()}: ${statement}\n      / ${other}\n`);
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function list({ session, right, wrong, duplicates, missed }: Judgement): void {
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  print(`\n== ${session.session} (${session.project ?? 'no project'}): ${right.length} right`);
  for (const { kind, statement, evidence } of wrong) print(`  WRONG ${kind} ${evidence.turns.join(',')}: ${statement}`);
  for (const { kind, statement, evidence } of duplicates)
    print(`  TWICE ${kind} ${evidence.turns.join(',')}: ${statement}`);
  for (const { id, kind, statement, evidence, must = [] } of missed)
    print(`  MISSED ${id} ${kind} ${evidence.join(',')}: ${statement} ${JSON.stringify(must)}`);
}
