import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultConfig } from '../src/model/config/schema.ts';
import { createHeuristicReasoner } from '../src/reasoner/heuristic/reasoner.ts';
import { decide } from '../src/topics/topics.ts';
import { Gate } from '../src/topics/gate.ts';
import { valuesOf } from '../src/topics/tier2/score.ts';
import { Watchers } from '../src/topics/watchers.ts';
import { percentile, printResult, progress } from './support.ts';
import { readOthersMessages, readTopicList, readWatcherData, senses, type LabelledMessage } from './watchers/data.ts';
import { manyTopics } from './watchers/many-topics.ts';

/*
 * Which topics messages activate, without a language model, against labels made before the code; each message is judged
 * against all topics. `--data DIR` takes other topics and messages: topics/*.md and messages.jsonl. `--topics FILE` takes a
 * file in the form of training/data/topics/. `--many 500` also times tiers 1 and 2 with so many topics. `--others` also
 * judges what other people said about their own affairs. `--evidence FILE` writes
 * what was weighed for each pair, for `python3 -m mneme_model.topics` in training/.
 */

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/watchers') },
    topics: { type: 'string' },
    many: { type: 'string', default: '0' },
    errors: { type: 'boolean', default: false },
    evidence: { type: 'string' },
    others: { type: 'boolean', default: false },
  },
});

/** Messages that are timed with many topics. */
const TIMED = 60;

const { topics, messages } = values.topics === undefined ? readWatcherData(values.data) : readTopicList(values.topics);
const settings = defaultConfig();
/** Weights are fitted on what the product would not ask about as well. */
const limits = values.evidence === undefined ? undefined : { maxAsked: 6, minHope: 0 };
const watchers = new Watchers(topics, { ...senses, limits });
const reasoner = createHeuristicReasoner();
const gate = new Gate(async () => reasoner);
await senses.model().vectors.make(topics);

interface Counts {
  right: number;
  fired: number;
  wanted: number;
}

const all: Counts = { right: 0, fired: 0, wanted: 0 };
/** Only the topics that a message was labelled for. */
const labelled: Counts = { right: 0, fired: 0, wanted: 0 };
let uncalled = 0;
let disturbed = 0;
let asked = 0;
let candidates = 0;
const spent: number[] = [];
const evidence: string[] = [];
for (const message of messages) {
  const { fired, seen } = await firedBy(message);
  const { expect, near = [] } = message;
  count(all, expect, fired);
  count(
    labelled,
    expect,
    fired.filter((name) => expect.includes(name) || near.includes(name)),
  );
  if (expect.length === 0) uncalled += 1;
  if (expect.length === 0 && fired.length > 0) disturbed += 1;
  candidates += expect.filter((name) => seen.has(name)).length;
  if (values.errors) showErrors(message, fired);
}

const figures = ({ right, fired, wanted }: Counts): { precision: number; recall: number } => ({
  precision: right / Math.max(1, fired),
  recall: right / Math.max(1, wanted),
});
if (values.evidence !== undefined) fs.writeFileSync(values.evidence, evidence.join('\n'));
printResult(values.json, 'watchers', {
  ...figures(all),
  labelled: figures(labelled),
  messages: messages.length,
  topics: topics.length,
  /** Of messages that call for nothing, how many bring a topic in all the same. */
  disturbedShare: disturbed / Math.max(1, uncalled),
  /** Of wanted topics, how many the model was asked about or a trigger named. */
  candidateRecall: candidates / Math.max(1, all.wanted),
  askedPerMessage: asked / messages.length,
  p95Ms: percentile(spent, 0.95),
  ...(values.others ? { othersShare: await shareOfOthers() } : {}),
  ...(Number(values.many) > 0 ? { many: await timeMany(Number(values.many)) } : {}),
});

function count(counts: Counts, expect: readonly string[], fired: readonly string[]): void {
  counts.right += expect.filter((name) => fired.includes(name)).length;
  counts.fired += fired.length;
  counts.wanted += expect.length;
}

async function firedBy({
  text,
  role,
  paths,
  expect,
}: LabelledMessage): Promise<{ fired: string[]; seen: Set<string> }> {
  const fired: string[] = [];
  const start = performance.now();
  const { sightings } = await watchers.watch({ text, role, paths });
  spent.push(performance.now() - start);
  for (const sighting of sightings) {
    const { nearness, hits, calls, topic } = sighting;
    if (calls !== null && nearness !== null) {
      asked += 1;
      evidence.push(JSON.stringify({ isWanted: expect.includes(topic.name), ...valuesOf({ nearness, hits, calls }) }));
    }
    const { outcome } = decide(sighting, settings);
    if (outcome === 'drop') continue;
    if (outcome === 'activate' || (await gate.ask(text, sighting)).isYes) fired.push(topic.name);
  }
  return { fired, seen: new Set(sightings.map(({ topic }) => topic.name)) };
}

/** Of messages of other people, how many bring a topic in: everyday use, where most messages call for nothing. */
async function shareOfOthers(): Promise<number> {
  const said = readOthersMessages(path.join(import.meta.dirname, 'data'));
  let brought = 0;
  for (const text of said) {
    const { fired } = await firedBy({ id: '', text, role: 'user', expect: [] });
    if (fired.length > 0) brought += 1;
  }
  return brought / said.length;
}

/** What tiers 1 and 2 take with so many topics, their notes' vectors made before. */
async function timeMany(number: number): Promise<{ tier1P95Ms: number; tier2P95Ms: number; prepareCpuMs: number }> {
  const copies = manyTopics(topics, number);
  progress(`vectors of ${number} notes`);
  await senses.model().vectors.make(copies);
  const before = process.cpuUsage();
  const many = new Watchers(copies, senses);
  const { user, system } = process.cpuUsage(before);
  const tier1: number[] = [];
  const tier2: number[] = [];
  for (const { text, role, paths } of messages.slice(0, TIMED)) {
    const start = performance.now();
    const message = many.read({ text, role, paths });
    const hits = many.matchTriggers(message);
    const middle = performance.now();
    await many.score(message, hits);
    tier1.push(middle - start);
    tier2.push(performance.now() - middle);
  }
  return {
    tier1P95Ms: percentile(tier1, 0.95),
    tier2P95Ms: percentile(tier2, 0.95),
    prepareCpuMs: (user + system) / 1000,
  };
}

function showErrors({ id, text, expect }: LabelledMessage, fired: readonly string[]): void {
  const missed = expect.filter((name) => !fired.includes(name));
  const wrong = fired.filter((name) => !expect.includes(name));
  if (missed.length + wrong.length === 0) return;
  progress(`${id} missed ${missed.join(',') || '–'}, wrong ${wrong.join(',') || '–'}: ${text.slice(0, 100)}`);
}
