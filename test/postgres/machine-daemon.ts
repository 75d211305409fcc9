/** The daemon of a machine of `machines.ts`: the real command, killed at random and started again, and what its jobs must have done. */
import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { openMneme } from '../../src/mneme.ts';
import { JOBS } from '../../src/runtime/jobs/job-table.ts';
import { JobQueue } from '../../src/runtime/coordination/job-queue.ts';
import { leaseOf, openJobQueue } from '../../src/runtime/coordination/open-coordination.ts';
import { queueName, SharedJobs } from '../../src/runtime/coordination/shared-jobs.ts';
import { deviceOf } from '../../src/search-index/open-index.ts';
import { queueSchema } from '../../src/search-index/postgres/schema.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** Every minute, what otherwise happens every night: so that all of them meet kills and cuts. */
export const DAEMON_SETTINGS = [
  'scheduler:',
  ...['index', 'extract', 'checkpoint', 'daily', 'reflect', 'decay', 'push'].map((job) => `  ${job}: "* * * * *"`),
];

/** Days with something to tell; the jobs write a journal of each. */
const PAST_DAYS = ['2026-01-05', '2026-01-06', '2026-01-07', '2026-01-08', '2026-01-09'];

interface QueuePlace {
  readonly url: string;
  readonly schema: string;
  readonly namespace: string;
}

/** Before a daemon makes them, so that what a killed one had in hand is soon taken by another, however often. */
export async function makeQueues(place: QueuePlace, homes: readonly string[]): Promise<void> {
  const queue = new JobQueue({ ...place, expireSeconds: 60, retries: 50, retryDelaySeconds: 1 });
  const names: string[] = [];
  for (const home of homes) {
    const mneme = await openMneme({ home, actor: 'manual' });
    const device = deviceOf(mneme.internals.homeIndex.parts);
    names.push(...JOBS.flatMap((job) => queueName(job, device) ?? []));
    await mneme.close();
  }
  await queue.status([...new Set(names)]);
  await queue.close();
}

export async function rememberPastDays(home: string): Promise<void> {
  for (const day of PAST_DAYS) {
    let nowMs = Date.parse(`${day}T10:00:00Z`);
    const mneme = await openMneme({ home, actor: 'manual', parts: { clock: { now: () => (nowMs += 5) } } });
    await mneme.remember(bellOf(day), { store: 'episodic' });
    await mneme.close();
  }
}

function bellOf(day: string): string {
  return `The harbour bell of ${day} was rung.`;
}

/** Each day is told once, whoever told it and however often somebody began to. */
export function checkJournals(home: string): string[] {
  const problems: string[] = [];
  for (const day of PAST_DAYS) {
    const file = path.join(home, 'workspace', 'memory', 'journal', `${day}.md`);
    const text = fs.existsSync(file) ? fs.readFileSync(file, 'utf8') : '';
    const times = text.split(bellOf(day)).length - 1;
    if (times !== 1) problems.push(`the journal of ${day} tells what happened ${times} times`);
  }
  return problems;
}

interface DaemonOptions {
  readonly home: string;
  readonly random: SeededRandom;
  /** How many writes all machines have acknowledged; a daemon's life is counted in those. */
  readonly told: () => number;
  readonly writesPerLife: number;
  readonly isDone: { readonly value: boolean };
  readonly counts: { daemonKills: number };
  readonly problems: string[];
}

const LOOK_MS = 100;

/** Starts it again whenever it was killed; in the end it is asked to stop, as a service manager would. */
export async function keepDaemon(options: DaemonOptions): Promise<void> {
  const { home, random, told, writesPerLife, isDone, counts, problems } = options;
  while (!isDone.value) {
    const { child, ended } = startDaemon(home);
    const last = told() + 1 + Math.floor(random.number() * 2 * writesPerLife);
    while (!isDone.value && child.exitCode === null && told() < last) await wait(LOOK_MS);
    if (child.exitCode !== null) {
      problems.push(`the daemon of ${path.basename(home)} ended by itself with ${child.exitCode}: ${await ended}`);
      await wait(1000);
    } else if (isDone.value) {
      child.kill('SIGTERM');
      const said = await ended;
      if (child.exitCode !== 0) problems.push(`the daemon of ${path.basename(home)} did not stop well: ${said}`);
    } else {
      await wait(random.number() * 500);
      child.kill('SIGKILL');
      counts.daemonKills += 1;
      await ended;
    }
  }
}

function startDaemon(home: string): { child: ChildProcess; ended: Promise<string> } {
  const program = path.join(import.meta.dirname, '../../bin/mneme');
  const child = spawn(process.execPath, [program, '--home', home, 'daemon'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (bytes: Buffer) => (said = `${said}${bytes.toString('utf8')}`.slice(-500)));
  return { child, ended: new Promise((resolve) => child.on('close', () => resolve(said.trim()))) };
}

/** What waits when the last daemon has gone, done as a daemon does it. */
export async function finishDaemonJobs(homes: readonly string[]): Promise<string[]> {
  let left: string[] = [];
  for (let round = 0; round < 60; round += 1) {
    left = [];
    for (const home of homes) {
      const mneme = await openMneme({ home, actor: 'manual' });
      const context = mneme.internals;
      const queue = openJobQueue(context);
      const lease = leaseOf(context.homeIndex.parts);
      if (queue === undefined) throw new Error('The machines share no queue.');
      await new SharedJobs({ context, jobs: JOBS, queue, lease }).workOnce(new AbortController().signal);
      await lease.release();
      const states = await queue.status([]);
      left.push(...states.filter(({ waiting, active }) => waiting + active > 0).map(({ job }) => job));
      await queue.close();
      await lease.close();
      await mneme.close();
    }
    if (left.length === 0) return [];
    await wait(2000);
  }
  return [`jobs are still in the queue: ${[...new Set(left)].join(', ')}`];
}

interface DaemonJobs {
  readonly done: number;
  /** Begun again after the machine that had them was killed or lost the lease. */
  readonly again: number;
  readonly problems: readonly string[];
}

/** By the queue's own tables: everything that was put there is done, and nothing was given up. */
export async function readDaemonJobs({ url, schema, namespace }: QueuePlace, except: string): Promise<DaemonJobs> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string; state: string; jobs: string; again: string }>(
      `SELECT name, state::text, count(*) AS jobs, sum(retry_count) AS again
       FROM "${queueSchema(schema, namespace)}".job GROUP BY name, state`,
    );
    const own = rows.filter(({ name }) => !name.endsWith(`.${except}`));
    const unfinished = own.filter(({ state, name }) => state !== 'completed' || name.endsWith('.dead'));
    const sum = (values: readonly string[]): number => values.reduce((total, value) => total + Number(value), 0);
    return {
      done: sum(own.map(({ jobs }) => jobs)),
      again: sum(own.map(({ again }) => again)),
      problems: unfinished.map(({ name, state, jobs }) => `${jobs} × ${name} ended as ${state}`),
    };
  } finally {
    await client.end();
  }
}
