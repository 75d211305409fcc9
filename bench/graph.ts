/**
 * The graph at 10 000 entities, 50 000 relations and 100 000 facts: how long it takes to open it, to find a misspelt name,
 * to walk two steps, to find a path and to add a fact. Then whether it recognises who is one and the same, on labelled pairs.
 *
 *   npm run bench:graph -- [--entities 10000] [--relations 50000] [--facts 100000] [--rounds 300] [--json]
 */
import { parseArgs, promisify } from 'node:util';
import path from 'node:path';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { compareBearers, type Sameness } from '../src/memory/graph/likeness/sameness.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { SeededRandom } from '../test/support/seeded-random.ts';
import { fillGraph, type MadeEntity } from './graph/home.ts';
import { readPairs, UNSEEN_PAIRS } from './graph/pairs.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    entities: { type: 'string', default: '10000' },
    relations: { type: 'string', default: '50000' },
    facts: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '300' },
    json: { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);
const random = new SeededRandom(11);
const pause = promisify(setTimeout);

function pick(made: readonly MadeEntity[]): MadeEntity {
  const entity = made[Math.floor(random.number() * made.length)];
  if (entity === undefined) throw new Error('there are no entities');
  return entity;
}

/** A letter left out, doubled or exchanged with its neighbour. */
function misspelt(name: string): string {
  const at = 1 + Math.floor(random.number() * (name.length - 2));
  const kind = Math.floor(random.number() * 3);
  if (kind === 0) return name.slice(0, at) + name.slice(at + 1);
  if (kind === 1) return name.slice(0, at) + name.charAt(at) + name.slice(at);
  return name.slice(0, at) + name.charAt(at + 1) + name.charAt(at) + name.slice(at + 2);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** What a step costs the processor on average: on a machine that others use, the clock tells more of them than of us. */
const cpuMs: Record<string, number> = {};

async function measure(name: string, count: number, work: () => Promise<unknown>, pauseMs = 0): Promise<number[]> {
  const samples: number[] = [];
  let spent = 0;
  for (let round = 0; round < count; round += 1) {
    if (pauseMs > 0) await pause(pauseMs);
    const before = process.cpuUsage();
    samples.push(await timed(work));
    const { user, system } = process.cpuUsage(before);
    spent += (user + system) / 1000;
  }
  cpuMs[name] = Number((spent / count).toPrecision(3));
  return samples;
}

interface Resolution {
  readonly pairs: number;
  readonly precision: number;
  readonly recall: number;
  readonly unsure: number;
  readonly recallWithProposals: number;
}

/** Pairs that took no part in the fitting; what is unsure would be proposed. */
async function measureResolution(): Promise<{ readonly unseen: Resolution }> {
  const judged: { same: boolean; verdict: Sameness['verdict'] }[] = [];
  for (const { a, b, same } of readPairs(UNSEEN_PAIRS))
    judged.push({ same, verdict: (await compareBearers(a, b)).verdict });
  return { unseen: ratesOf(judged) };
}

function ratesOf(judged: readonly { readonly same: boolean; readonly verdict: Sameness['verdict'] }[]): Resolution {
  const sure = judged.filter(({ verdict }) => verdict === 'same');
  const found = judged.filter(({ verdict }) => verdict !== 'different');
  const right = (list: readonly { readonly same: boolean }[]): number => list.filter(({ same }) => same).length;
  return {
    pairs: judged.length,
    precision: right(sure) / sure.length,
    recall: right(sure) / right(judged),
    unsure: found.length - sure.length,
    recallWithProposals: right(found) / right(judged),
  };
}

const home = path.join(makeTemporaryFolder('mneme-graph-'), 'home');
await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
const sizes = { entities: Number(values.entities), relations: Number(values.relations), facts: Number(values.facts) };
progress(`writing ${sizes.entities} entities, ${sizes.relations} relations, ${sizes.facts} facts`);
const made = fillGraph(path.join(home, 'workspace'), sizes);
progress('indexing for the first time');
const first = await openMneme({ home });
const buildMs = await timed(() => first.graph.list({ limit: 1 }));
await first.internals.homeIndex.sync();
await first.close();

progress('opening warm');
const opened: number[] = [];
let m = await openMneme({ home });
for (let round = 0; round < 3; round += 1) {
  await m.close();
  const before = process.cpuUsage();
  const start = performance.now();
  m = await openMneme({ home });
  await m.graph.query({ text: pick(made).name, by: 'name' });
  await m.graph.neighbours(pick(made).id);
  opened.push(performance.now() - start);
  const { user, system } = process.cpuUsage(before);
  cpuMs['open'] = Math.round((user + system) / 1000);
}
progress('asking');
let hits = 0;
const lookups = await measure('lookup', rounds, async () => {
  const entity = pick(made);
  const { entities } = await m.graph.query({ text: misspelt(entity.name), by: 'name', limit: 5 });
  if (entities.some(({ id }) => id === entity.id)) hits += 1;
});
const hops = await measure('hop', rounds, () => m.graph.neighbours(pick(made).id, { depth: 2 }));
const paths = await measure('path', rounds, () => m.graph.path(pick(made).id, pick(made).id));
progress('adding facts');
let number = 0;
const add = (): Promise<unknown> => {
  number += 1;
  return m.graph.fact(pick(made).id, `Something new, the ${number}th.`, { from: '2026-11' });
};
const adds = await measure('add', rounds, add, 10);
await m.close();
progress('recognising who is one');
const resolution = await measureResolution();
printResult(values.json, 'graph', {
  lookupP95Ms: percentile(lookups, 0.95),
  hopP95Ms: percentile(hops, 0.95),
  pathP95Ms: percentile(paths, 0.95),
  addP95Ms: percentile(adds, 0.95),
  openMs: percentile(opened, 0.5),
  lookupP50Ms: percentile(lookups, 0.5),
  hopP50Ms: percentile(hops, 0.5),
  pathP50Ms: percentile(paths, 0.5),
  addP50Ms: percentile(adds, 0.5),
  buildMs,
  misspeltFound: hits / rounds,
  cpuMs,
  resolution,
});
