import path from 'node:path';
import { parseArgs } from 'node:util';
import { defaultConfig } from '../src/model/config/schema.ts';
import { createHeuristicReasoner } from '../src/reasoner/heuristic/reasoner.ts';
import { decide } from '../src/topics/decide.ts';
import { Gate } from '../src/topics/gate.ts';
import { WordVectors } from '../src/topics/tier2/word-vectors.ts';
import { Watchers } from '../src/topics/watchers.ts';
import { percentile, printResult, progress } from './support.ts';
import { readWatcherData, senses, type LabelledMessage } from './watchers/data.ts';
import { manyTopics } from './watchers/many-topics.ts';

/*
 * Which topics messages activate, without a model, against labels made before the code; and how long tiers 1 and 2 take
 * with 500 topics. `--data DIR` takes other topics and messages: topics/*.md and messages.jsonl.
 */

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    data: { type: 'string', default: path.join(import.meta.dirname, 'data/watchers') },
    topics: { type: 'string', default: '500' },
    errors: { type: 'boolean', default: false },
  },
});

const ROUNDS = 5;

const { topics, messages } = readWatcherData(values.data);
const vectors = new WordVectors();
const settings = defaultConfig();
const watchers = new Watchers(topics, senses, vectors);
const reasoner = createHeuristicReasoner();
const gate = new Gate(async () => reasoner, settings.gate);

interface Counts {
  right: number;
  fired: number;
  wanted: number;
}

const all: Counts = { right: 0, fired: 0, wanted: 0 };
const halves: readonly [Counts, Counts] = [
  { right: 0, fired: 0, wanted: 0 },
  { right: 0, fired: 0, wanted: 0 },
];
for (const [index, message] of messages.entries()) {
  const fired = await firedBy(message);
  for (const counts of [all, halves[index % 2] ?? all]) {
    counts.right += message.expect.filter((name) => fired.has(name)).length;
    counts.fired += fired.size;
    counts.wanted += message.expect.length;
  }
  if (values.errors) showErrors(message, fired);
}

const copies = manyTopics(topics, Number(values.topics));
const before = process.cpuUsage();
const many = new Watchers(copies, senses, new WordVectors());
const spent = process.cpuUsage(before);
progress(`timing ${many.topics.length} topics`);
const timed = time(many);
const figures = (counts: Counts): { precision: number; recall: number } => ({
  precision: counts.right / Math.max(1, counts.fired),
  recall: counts.right / Math.max(1, counts.wanted),
});
printResult(values.json, 'watchers', {
  ...figures(all),
  ...timed,
  prepareCpuMs: (spent.user + spent.system) / 1000,
  messages: messages.length,
  topics: topics.length,
  halves: halves.map(figures),
});

async function firedBy({ text, role, paths }: LabelledMessage): Promise<Set<string>> {
  const fired = new Set<string>();
  for (const sighting of watchers.watch({ text, role, paths }).sightings) {
    const { outcome } = decide(sighting, settings);
    if (outcome === 'drop') continue;
    if (outcome === 'activate' || (await gate.ask(text, sighting)).isYes) fired.add(sighting.topic.name);
  }
  return fired;
}

/** The best of several rounds for each message: what another process took away is not what the work costs. */
function time(measured: Watchers): { tier1P95Ms: number; tier2P95Ms: number } {
  const tier1 = messages.map(() => Infinity);
  const tier2 = messages.map(() => Infinity);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [at, { text, role, paths }] of messages.entries()) {
      const start = performance.now();
      const message = measured.read({ text, role, paths });
      const hits = measured.matchTriggers(message);
      const middle = performance.now();
      measured.score(message, hits);
      const end = performance.now();
      tier1[at] = Math.min(tier1[at] ?? Infinity, middle - start);
      tier2[at] = Math.min(tier2[at] ?? Infinity, end - middle);
    }
  }
  return { tier1P95Ms: percentile(tier1, 0.95), tier2P95Ms: percentile(tier2, 0.95) };
}

function showErrors({ id, text, expect }: LabelledMessage, fired: ReadonlySet<string>): void {
  const missed = expect.filter((name) => !fired.has(name));
  const wrong = [...fired].filter((name) => !expect.includes(name));
  if (missed.length + wrong.length === 0) return;
  progress(`${id} missed ${missed.join(',') || '–'}, wrong ${wrong.join(',') || '–'}: ${text.slice(0, 100)}`);
}
