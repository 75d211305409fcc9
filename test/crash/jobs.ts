/**
 * Kills each job at random instants of its work and looks whether the next run completes it, with nothing lost or done
 * twice. Before every kill there is something to do again, and the clock has moved on.
 *
 *   node test/crash/jobs.ts [kills per job] [seed] [job …]
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { JOBS } from '../../src/runtime/jobs/job-table.ts';
import type { Mneme } from '../../src/mneme.ts';
import { humanGit } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { addTalk, JOB_WORK, makeJobHome, type JobHome } from './job-homes.ts';
import { runInProcess } from './job-process.ts';
import { findLost, findRepeated } from './job-words.ts';
import { DAY_MS } from '../../src/model/time.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/mneme');
/** Where the search for how long a job takes begins. */
const FIRST_GUESS_MS = 300;
/** From so many on it is worth a run to see how long it really takes. */
const MANY_KILLS = 5;
/** A kill counts when the job was still at work: so many are tried for each one wanted. */
const MOST_TRIES = 3;

export interface JobKillSummary {
  /** Runs that were to be killed. */
  kills: number;
  /** Runs that were still at work when they were killed. */
  interrupted: number;
  readonly byJob: Record<string, string>;
  readonly problems: string[];
}

export async function runJobKills(
  killsPerJob: number,
  seed: number,
  only: readonly string[] = [],
): Promise<JobKillSummary> {
  const random = new SeededRandom(seed);
  const summary: JobKillSummary = { kills: 0, interrupted: 0, byJob: {}, problems: [] };
  const place = await makeJobHome();
  let round = 0;
  const nextRound = async (job: string): Promise<void> => {
    round += 1;
    const { stepDays, add } = JOB_WORK[job] ?? { stepDays: 1 };
    await addTalk(place.writer, round);
    if (job !== 'extract') await place.writer.extract();
    await add?.(place.writer, place.home, round);
    place.clock.time += stepDays * DAY_MS;
  };
  for (const { name } of JOBS.filter((job) => only.length === 0 || only.includes(job.name))) {
    if (await isOff(place, name)) continue;
    let tookMs = FIRST_GUESS_MS;
    if (killsPerJob >= MANY_KILLS) {
      await nextRound(name);
      ({ tookMs } = await runInProcess(taskOf(place, name)));
    }
    let interrupted = 0;
    let tries = 0;
    for (; interrupted < killsPerJob && tries < killsPerJob * MOST_TRIES; tries += 1) {
      await nextRound(name);
      const end = await runInProcess(taskOf(place, name), random.between(0, Math.ceil(tookMs * 1.1)));
      if (end.isKilled) interrupted += 1;
      // As long as it was not seen to end it may take longer than was thought.
      tookMs = end.isKilled ? tookMs * 1.1 : end.tookMs;
    }
    summary.kills += tries;
    summary.interrupted += interrupted;
    summary.byJob[name] = `${interrupted} of ${tries} at work`;
    process.stderr.write(`… ${name}: ${interrupted} of ${tries} were at work\n`);
    summary.problems.push(...(await findProblems(place, name, round)));
  }
  await place.writer.close();
  summary.problems.push(...findFindings(place.home));
  if (summary.problems.length === 0) fs.rmSync(path.dirname(place.home), { recursive: true, force: true });
  else summary.problems.push(`home: ${place.home}`);
  return summary;
}

function taskOf({ home, clock }: JobHome, job: string): { home: string; job: string; nowMs: number } {
  return { home, job, nowMs: clock.time };
}

/** Jobs that have nothing to do in this home: no procedure is due. */
async function isOff({ writer }: JobHome, name: string): Promise<boolean> {
  return (await JOBS.find((job) => job.name === name)?.whyOff?.(writer.internals)) !== undefined;
}

/** The next run is another process's: the one that writes all along. */
async function findProblems({ home, remote, writer }: JobHome, job: string, rounds: number): Promise<string[]> {
  const problems: string[] = [];
  const completing = await writer.jobs.run(job);
  if (completing.state !== 'done') problems.push(`${job} does not complete: ${completing.summary}`);
  const again = await writer.jobs.run(job);
  const nothing = NOTHING_LEFT[job];
  if (nothing !== undefined && !nothing.test(again.summary)) problems.push(`${job} had more to do: ${again.summary}`);
  if (job === 'backup') problems.push(...(await findBackupProblems(home, writer)));
  if (job === 'push' && tipOf(remote) !== tipOf(path.join(home, 'workspace'))) {
    problems.push('the remote is not where the memory is');
  }
  if (job === 'explore-prune') problems.push(...findKeptTwice(home));
  if (job === 'extract') await writer.extract();
  const found = [...findRepeated(home), ...findLost(home, rounds)];
  return [...problems, ...found.map((problem) => `after ${job}: ${problem}`)];
}

async function findBackupProblems(home: string, writer: Mneme): Promise<string[]> {
  for (const { file } of await writer.backup.list()) await writer.backup.verify(file);
  const left = fs.readdirSync(path.join(home, 'backups')).filter((name) => name.endsWith('.partial'));
  return left.length === 0 ? [] : [`${left.length} partial backups are left`];
}

function tipOf(folder: string): string {
  return execFileSync('git', ['rev-parse', 'main'], { cwd: folder, encoding: 'utf8' });
}

/** Each exploration is kept under one reference however often its dropping was interrupted. */
function findKeptTwice(home: string): string[] {
  const kept = humanGit(home, 'for-each-ref', '--format=%(refname:strip=3)', 'refs/mneme/dropped').split('\n');
  const names = kept.filter((name) => name !== '').map((name) => name.replace(/-[^-]+$/u, ''));
  return names.length === new Set(names).size
    ? []
    : [`an exploration was dropped twice: ${names.toSorted().join(' ')}`];
}

/** What a job says when everything was done before. */
const NOTHING_LEFT: Readonly<Record<string, RegExp>> = {
  index: /^0 files taken over, 0 removed, 0 vectors/u,
  extract: /^0 sessions processed$/u,
  checkpoint: /^no open session holds enough that is new$/u,
  daily: /^everything was done before$/u,
  weekly: /^everything was done before$/u,
  monthly: /^everything was done before$/u,
  // One that waits is the same one.
  reflect: /^(?:too little is new|nothing is new|reflection #\d+ waits.*)$/u,
  tags: /^0 tags made$/u,
  // Nothing more is put away.
  decay: /looked at, \d+ changed status$/u,
  archive: /^0 archived files and 0 transcripts packed$/u,
  'explore-prune': /^0 explorations dropped$/u,
  push: /^0 changes came, 0 went$/u,
};

function findFindings(home: string): string[] {
  try {
    execFileSync(process.execPath, [PROGRAM, '--home', home, 'check'], { encoding: 'utf8', stdio: 'pipe' });
    return [];
  } catch (error) {
    return [`check: ${String((error as { stdout?: string }).stdout ?? error)}`];
  }
}

if (import.meta.main) {
  const [, , kills = '100', seed = '1', ...only] = process.argv;
  const summary = await runJobKills(Number(kills), Number(seed), only);
  console.log(JSON.stringify(summary, undefined, 1));
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
}
