/**
 * Kills each job at random instants and looks whether the next run completes it, with nothing lost or done twice.
 *
 *   node test/crash/jobs.ts [kills per job] [seed] [job …]
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { JOBS } from '../../src/operations/jobs/jobs.ts';
import { makeTemporaryFolder } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/mneme');

export interface JobKillSummary {
  kills: number;
  /** Runs that were still going on when they were killed. */
  interrupted: number;
  readonly problems: string[];
}

/** A home with something to do for every job: a remote, an ended session, an old exploration, days without tags. */
async function makeBusyHome(): Promise<{ home: string; remote: string }> {
  const folder = makeTemporaryFolder();
  const home = path.join(folder, 'home');
  const remote = path.join(folder, 'remote.git');
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', remote]);
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const clock = { time: Date.now() - 20 * 86_400_000, now: (): number => clock.time };
  const mneme = await openMneme({ home, parts: { clock } });
  await mneme.remember('The lighthouse keeper is called Ruth.');
  await mneme.close();
  runMneme(home, 'config', 'set', 'git.remote', remote);
  return { home, remote };
}

let sessions = 0;

/** More to do before every kill, or the job would be over before it is hit. Written by a process that stays. */
async function addWork(mneme: Mneme): Promise<void> {
  sessions += 1;
  const session = await mneme.session.start({ id: `ses_crash${String(sessions).padStart(4, '0')}` });
  await session.message('user', `I decided to rent boat number ${sessions} from Morag in Ullapool.`);
  await session.message('user', `My sister Fiona lives in harbour street ${sessions}.`);
  await session.end();
  const buoys = Array.from({ length: 10 }, (_, count) => `Buoy ${sessions}.${count} was painted.`);
  await Promise.all(buoys.map((text) => mneme.remember(text)));
}

function runMneme(home: string, ...args: string[]): string {
  return execFileSync(process.execPath, [PROGRAM, '--home', home, ...args], { encoding: 'utf8', stdio: 'pipe' });
}

/** True when it was still running. */
function killAfter(home: string, job: string, delayMs: number): Promise<boolean> {
  // With its git children, but for the one that serves as the remote: that would be a machine of its own.
  const target = (pid: number): number => (job === 'push' ? pid : -pid);
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, '--home', home, 'jobs', 'run', job], {
      detached: true,
      stdio: 'ignore',
    });
    const timer = setTimeout(() => process.kill(target(child.pid ?? 0), 'SIGKILL'), delayMs);
    child.once('exit', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    });
  });
}

export async function runJobKills(
  killsPerJob: number,
  seed: number,
  only: readonly string[] = [],
): Promise<JobKillSummary> {
  const random = new SeededRandom(seed);
  const summary: JobKillSummary = { kills: 0, interrupted: 0, problems: [] };
  const { home, remote } = await makeBusyHome();
  for (const { name } of JOBS.filter((job) => only.length === 0 || only.includes(job.name))) {
    if (await isOff(home, name)) continue;
    const writer = await openMneme({ home });
    for (let kill = 0; kill < killsPerJob; kill += 1) {
      await addWork(writer);
      summary.kills += 1;
      if (await killAfter(home, name, random.between(200, 1500))) summary.interrupted += 1;
    }
    await writer.close();
    process.stderr.write(`… ${name}: ${summary.interrupted} of ${summary.kills} were still running\n`);
    try {
      runMneme(home, 'jobs', 'run', name);
    } catch (error) {
      summary.problems.push(`${name} does not complete: ${String(error)}`);
    }
    summary.problems.push(...(await findProblems(home, remote, name)));
  }
  if (summary.problems.length === 0) fs.rmSync(path.dirname(home), { recursive: true, force: true });
  else summary.problems.push(`home: ${home}`);
  return summary;
}

/** Jobs that have nothing to do in this home: no procedure is due, nothing is to be deleted. */
async function isOff(home: string, name: string): Promise<boolean> {
  const mneme = await openMneme({ home });
  try {
    return (await JOBS.find((job) => job.name === name)?.whyOff?.(mneme.internals)) !== undefined;
  } finally {
    await mneme.close();
  }
}

async function findProblems(home: string, remote: string, job: string): Promise<string[]> {
  const problems: string[] = [];
  const mneme = await openMneme({ home });
  try {
    const again = await mneme.jobs.run(job);
    const nothing = NOTHING_LEFT[job];
    if (nothing !== undefined && !nothing.test(again.summary)) problems.push(`${job} had more to do: ${again.summary}`);
    for (const { file } of job === 'backup' ? await mneme.backup.list() : []) await mneme.backup.verify(file);
  } finally {
    await mneme.close();
  }
  const backups = path.join(home, 'backups');
  const left = fs.existsSync(backups) ? fs.readdirSync(backups).filter((name) => name.endsWith('.partial')) : [];
  if (job === 'backup' && left.length > 0) problems.push(`${left.length} partial backups are left`);
  if (job === 'push') {
    const tip = (folder: string): string =>
      execFileSync('git', ['rev-parse', 'main'], { cwd: folder, encoding: 'utf8' });
    if (tip(remote) !== tip(path.join(home, 'workspace'))) problems.push('the remote is not where the memory is');
  }
  problems.push(...findRepeated(home), ...findFindings(home));
  return problems;
}

/** What a job says when everything was done before. */
const NOTHING_LEFT: Readonly<Record<string, RegExp>> = {
  index: /^0 files taken over, 0 removed, 0 vectors/u,
  extract: /^0 sessions processed$/u,
  checkpoint: /^no open session holds enough that is new$/u,
  daily: /^everything was done before$/u,
  weekly: /^everything was done before$/u,
  monthly: /^everything was done before$/u,
  tags: /^0 tags made$/u,
  'explore-prune': /^0 explorations dropped$/u,
  push: /^0 changes came, 0 went$/u,
};

/**
 * A statement that stands twice in a store was learnt twice; a journal may mention it in two sections, but a session once.
 * Roll-ups, proposals and views tell again what stands elsewhere: `consolidation.test.ts` compares those with an undisturbed run.
 */
function findRepeated(home: string): string[] {
  const folder = path.join(home, 'workspace', 'memory');
  const entries = fs.readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.name.endsWith('.md'))
    .filter(({ parentPath }) => !/[\\/](?:meta|weekly|monthly)(?:[\\/]|$)/u.test(parentPath))
    .flatMap((entry) => {
      const file = path.join(entry.parentPath, entry.name);
      const pattern = file.includes(`${path.sep}journal${path.sep}`)
        ? /<!-- session:\S+/gu
        : /(?:boat number|harbour street|Buoy) [\d.]+/gu;
      const found = [...fs.readFileSync(file, 'utf8').matchAll(pattern)].map(([text]) => text);
      return found.length === new Set(found).size ? [] : [`${file} says something twice`];
    });
}

function findFindings(home: string): string[] {
  try {
    runMneme(home, 'check');
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
