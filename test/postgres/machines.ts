/**
 * Three machines: a clone, a home and a daemon each, one PostgreSQL server and one git remote between them. On each an
 * agent writes beside the daemon, both are killed at random, and the cable to the server is cut now and then. In the end
 * all must have the same files, nothing acknowledged may be missing, no number of the lease may have had two holders, and
 * every job, the daemons' as well as the agents' own, must have had its effect once.
 *
 *   MNEME_TEST_POSTGRES_URL=… npm run test:scale -- [--mutations 2000] [--kills 100] [--seed 1]
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openMneme } from '../../src/mneme.ts';
import { sync } from '../../src/operations/history/sync.ts';
import { JobQueue } from '../../src/runtime/coordination/job-queue.ts';
import { PostgresServer } from '../../src/search-index/postgres/server.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { Cable } from './cable.ts';
import {
  checkJournals,
  DAEMON_SETTINGS,
  finishDaemonJobs,
  keepDaemon,
  makeQueues,
  readDaemonJobs,
  rememberPastDays,
} from './machine-daemon.ts';
import { ERRAND, type MachineOptions } from './machine-worker.ts';
import { newName } from './server.ts';

interface MachinesOptions {
  readonly url: string;
  readonly mutations: number;
  readonly kills: number;
  readonly seed: number;
  readonly schema: string;
  readonly onProgress?: ((line: string) => void) | undefined;
}

interface MachinesSummary {
  readonly acknowledged: number;
  /** Of those; the others became proposals, because another machine wrote. */
  readonly written: number;
  readonly kills: number;
  readonly daemonKills: number;
  readonly cuts: number;
  readonly fences: number;
  /** What the agents had the queue do, and what the daemons did of it by themselves; `again` of those after a kill. */
  readonly jobs: number;
  readonly daemonJobs: number;
  readonly again: number;
  /** What must not be; empty when all went well. */
  readonly problems: readonly string[];
}

const NAMES = ['ana', 'ben', 'cleo'] as const;
const WRITES_PER_CUT = 8;
/** Of all machines together, while one daemon lives. */
const DAEMON_LIFE_WRITES = 100;
/** Between a write and the kill or cut that follows it: so that these meet anything. */
const LONGEST_REST_MS = 500;
const LOOK_MS = 50;
const URL_VARIABLE = 'MNEME_MACHINES_URL';

async function runMachines(options: MachinesOptions): Promise<MachinesSummary> {
  const root = makeTemporaryFolder('mneme-machines-');
  const ledger = path.join(root, 'ledger');
  fs.mkdirSync(path.join(ledger, 'effects'), { recursive: true });
  const namespace = newName('machines');
  const direct = new URL(options.url);
  const cable = new Cable({ host: direct.hostname, port: Number(direct.port) });
  const through = new URL(options.url);
  through.port = String(await cable.listen());
  process.env[URL_VARIABLE] = through.href;
  const { schema } = options;
  const homes = await makeHomes(root, namespace, schema);
  const place = { url: options.url, schema, namespace };
  await makeQueues(place, homes);
  const queue = new JobQueue({ ...place, expireSeconds: 5, retryDelaySeconds: 1 });
  // Before the machines open it, so that what a killed one had in hand is soon taken by another.
  await queue.status([ERRAND]);
  const { counts, problems } = await liveTogether(options, { homes, ledger, cable });
  cable.isCut = false;
  options.onProgress?.('everybody has written; exchanging what is left');
  await finishJobs(queue, ledger);
  problems.push(...(await finishDaemonJobs(homes)));
  await converge(homes);
  problems.push(...check(homes, ledger), ...checkJournals(homes[0] ?? ''));
  await queue.close();
  cable.close();
  const daemonJobs = await readDaemonJobs(place, ERRAND);
  problems.push(...daemonJobs.problems);
  const server = new PostgresServer(place);
  await server.eraseNamespace(namespace);
  await server.close();
  const fences = new Set(linesOf(ledger, 'fences.log')).size;
  const acknowledged = linesOf(ledger, 'acknowledged.log').length;
  const written = linesOf(ledger, 'writes.log').length;
  const jobs = dueJobs(ledger).size;
  if (problems.length === 0) fs.rmSync(root, { recursive: true, force: true });
  const { done, again } = daemonJobs;
  return { acknowledged, written, ...counts, fences, jobs, daemonJobs: done, again, problems };
}

interface Scene {
  readonly homes: readonly string[];
  readonly ledger: string;
  readonly cable: Cable;
}

/** Until everything is written; then the daemons are asked to stop. */
async function liveTogether(
  options: MachinesOptions,
  { homes, ledger, cable }: Scene,
): Promise<{ counts: { kills: number; daemonKills: number; cuts: number }; problems: string[] }> {
  const random = new SeededRandom(options.seed);
  const counts = { kills: 0, daemonKills: 0, cuts: 0 };
  const problems: string[] = [];
  const isDone = { value: false };
  const told = (): number => linesOf(ledger, 'acknowledged.log').length;
  const daemon = { random, told, writesPerLife: DAEMON_LIFE_WRITES, isDone, counts, problems };
  const daemons = homes.map((home) => keepDaemon({ ...daemon, home }));
  const cutting = cutNowAndThen(cable, ledger, random, counts, isDone);
  const perMachine = Math.ceil(options.mutations / NAMES.length);
  await Promise.all(
    NAMES.map((name, at) => {
      const machine = { home: homes[at] ?? '', name, from: 0, to: perMachine, ledger };
      return liveAndDie(machine, options, random, counts);
    }),
  );
  isDone.value = true;
  await Promise.all([cutting, ...daemons]);
  return { counts, problems };
}

async function makeHomes(root: string, namespace: string, schema: string): Promise<string[]> {
  const remote = path.join(root, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  const homes: string[] = [];
  for (const name of NAMES) {
    const home = path.join(root, name);
    await initTestHome(home);
    const lines = [
      'index:',
      '  engine: postgres',
      `  postgres_schema: ${schema}`,
      `  postgres_namespace: ${namespace}`,
      `  postgres_url_env: ${URL_VARIABLE}`,
      '  postgres_writer_lease: true',
      ...DAEMON_SETTINGS,
    ];
    fs.appendFileSync(path.join(home, 'mneme.yaml'), `${lines.join('\n')}\n`);
    if (homes.length === 0) await rememberPastDays(home);
    const mneme = await openMneme({ home, actor: 'manual' });
    await sync.run(mneme.internals, sync.input.parse({ remote, allowUnrelated: homes.length > 0 }));
    await mneme.close();
    homes.push(home);
  }
  return homes;
}

/** A machine's life until all is written; killed, it begins again after what it had acknowledged. */
async function liveAndDie(
  machine: MachineOptions,
  { kills, mutations }: MachinesOptions,
  random: SeededRandom,
  counts: { kills: number },
): Promise<void> {
  const written = (): string[] =>
    linesOf(machine.ledger, 'acknowledged.log').filter((line) => line.startsWith(`Fact ${machine.name}-`));
  for (;;) {
    const before = written();
    const from = before.length === 0 ? 0 : Number(/-(\d+) /u.exec(before.at(-1) ?? '')?.[1]) + 1;
    const child = spawnMachine({ ...machine, from });
    const ended = new Promise<number | null>((resolve) => child.on('exit', resolve));
    // By what was written rather than by time: on a busy computer lives would end before they began.
    const lastWrite = before.length + Math.floor(random.number() * ((2 * mutations) / Math.max(1, kills)));
    const extraMs = random.number() * LONGEST_REST_MS;
    const isOver = async (): Promise<undefined> => {
      while (child.exitCode === null && written().length <= lastWrite) await wait(LOOK_MS);
      await wait(extraMs);
    };
    const code = counts.kills < kills ? await Promise.race([ended, isOver()]) : await ended;
    if (code === 0) return;
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      counts.kills += 1;
    } else if (child.exitCode !== 0) throw new Error(`${machine.name} ended with ${String(child.exitCode)}.`);
    await ended;
  }
}

function spawnMachine(options: MachineOptions): ChildProcess {
  const worker = path.join(import.meta.dirname, 'machine-worker.ts');
  return spawn(process.execPath, [worker, JSON.stringify(options)], { stdio: ['ignore', 'ignore', 'inherit'] });
}

async function cutNowAndThen(
  cable: Cable,
  ledger: string,
  random: SeededRandom,
  counts: { cuts: number },
  isDone: { readonly value: boolean },
): Promise<void> {
  const told = (): number => linesOf(ledger, 'acknowledged.log').length;
  for (;;) {
    const next = told() + 1 + Math.floor(random.number() * 2 * WRITES_PER_CUT);
    while (!isDone.value && told() < next) await wait(LOOK_MS);
    if (isDone.value) return;
    await wait(random.number() * LONGEST_REST_MS);
    cable.cut();
    counts.cuts += 1;
    await wait(500 + random.number() * 1000);
    cable.isCut = false;
  }
}

/** Each takes what the others gave; the last one has everything then, and the others once they have asked again. */
async function converge(homes: readonly string[]): Promise<void> {
  for (const home of [...homes, ...homes.slice(0, -1)]) {
    const mneme = await openMneme({ home, actor: 'manual' });
    await mneme.internals.workspace.drain();
    await sync.run(mneme.internals, sync.input.parse({}));
    await mneme.close();
  }
}

/** Whoever was killed with a job in hand loses it after a while; it is done then. */
async function finishJobs(queue: JobQueue, ledger: string): Promise<void> {
  for (let look = 0; look < 120; look += 1) {
    const taken = await queue.take(ERRAND);
    if (taken !== undefined) {
      const effect = path.join(ledger, 'effects', taken.occurrence);
      if (!fs.existsSync(effect)) fs.writeFileSync(effect, 'parent', { flag: 'wx' });
      if (await taken.done()) fs.appendFileSync(path.join(ledger, 'done.log'), `${taken.occurrence}\n`);
      continue;
    }
    const [state] = await queue.status([ERRAND]);
    if (state?.waiting === 0 && state.active === 0) return;
    await wait(500);
  }
}

function check(homes: readonly string[], ledger: string): string[] {
  const problems: string[] = [];
  const git = (home: string, ...args: string[]): string =>
    execFileSync('git', ['-C', path.join(home, 'workspace'), ...args], { encoding: 'utf8', maxBuffer: 1 << 28 });
  const trees = new Set(homes.map((home) => git(home, 'rev-parse', 'HEAD^{tree}').trim()));
  if (trees.size !== 1) problems.push(`${trees.size} different states of the files`);
  for (const home of homes) {
    const dirty = git(home, 'status', '--porcelain').trim();
    if (dirty !== '') problems.push(`${path.basename(home)} has files that git does not: ${dirty.slice(0, 200)}`);
  }
  // Not where a job tells it again.
  const where = ['HEAD', '--', ':!memory/journal'];
  const all = git(homes[0] ?? '', 'grep', '-h', '-o', '-E', 'Fact [a-z]+-[0-9]+ was seen', ...where);
  const present = new Set(all.split('\n').map((line) => `${line.replace(/^HEAD:/u, '')}.`));
  const missing = linesOf(ledger, 'acknowledged.log').filter((text) => !present.has(text));
  if (missing.length > 0) problems.push(`${missing.length} acknowledged are missing, such as ${missing[0] ?? ''}`);
  const holders = new Map<string, string>();
  for (const line of new Set(linesOf(ledger, 'fences.log'))) {
    const [fence = '', name = ''] = line.split(' ');
    const before = holders.get(fence);
    if (before !== undefined && before !== name) problems.push(`${before} and ${name} both held lease ${fence}`);
    holders.set(fence, name);
  }
  problems.push(...checkWrites(ledger), ...checkJobs(ledger));
  return problems;
}

/** All that was written under one holding of the lease was written before anything under the next. */
function checkWrites(ledger: string): string[] {
  const holdings = new Map<number, { from: number; to: number; names: Set<string> }>();
  for (const line of linesOf(ledger, 'writes.log')) {
    const [fence, time, name = ''] = line.split(' ');
    const known = holdings.get(Number(fence)) ?? { from: Infinity, to: 0, names: new Set() };
    known.from = Math.min(known.from, Number(time));
    known.to = Math.max(known.to, Number(time));
    known.names.add(name);
    holdings.set(Number(fence), known);
  }
  const problems: string[] = [];
  let last = { fence: 0, to: 0 };
  for (const [fence, { from, to, names }] of [...holdings].sort(([one], [other]) => one - other)) {
    if (names.size > 1) problems.push(`${[...names].join(' and ')} wrote under lease ${fence}`);
    if (from < last.to) problems.push(`lease ${fence} wrote ${last.to - from} ms before lease ${last.fence} had ended`);
    last = { fence, to };
  }
  return problems;
}

/** Everything that was due had its effect, and nobody was told twice that it is done. */
function checkJobs(ledger: string): string[] {
  const due = dueJobs(ledger);
  const asked = new Set(linesOf(ledger, 'asked.log'));
  const effects = new Set(fs.readdirSync(path.join(ledger, 'effects')));
  const done = linesOf(ledger, 'done.log');
  return [
    ...[...due].filter((job) => !effects.has(job)).map((job) => `${job} never had its effect`),
    ...[...effects].filter((job) => !asked.has(job)).map((job) => `${job} had its effect without being due`),
    ...done.filter((job, at) => done.indexOf(job) !== at).map((job) => `${job} was done twice`),
  ];
}

function dueJobs(ledger: string): Set<string> {
  return new Set(linesOf(ledger, 'due.log'));
}

function linesOf(ledger: string, file: string): string[] {
  const full = path.join(ledger, file);
  return fs.existsSync(full) ? fs.readFileSync(full, 'utf8').split('\n').filter(Boolean) : [];
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      mutations: { type: 'string', default: '2000' },
      kills: { type: 'string', default: '100' },
      seed: { type: 'string', default: '1' },
    },
  });
  const url = process.env['MNEME_TEST_POSTGRES_URL'];
  if (url === undefined) {
    process.stderr.write('Set MNEME_TEST_POSTGRES_URL; `node scripts/postgres-server.ts start` brings a server up.\n');
    process.exit(2);
  }
  const summary = await runMachines({
    url,
    mutations: Number(values.mutations),
    kills: Number(values.kills),
    seed: Number(values.seed),
    schema: 'mneme_machines',
    onProgress: (line) => void process.stderr.write(`… ${line}\n`),
  });
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exit(summary.problems.length === 0 ? 0 : 1);
}
