import fs from 'node:fs';
import type { Step } from '../../src/workspace/door/context.ts';
import { makeHome, openWorkspace } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { Expectation } from './expectation.ts';
import { Participant } from './processes.ts';
import { verifyHome } from './verify.ts';
import { CRASH_PARTS, type WorkerOptions } from './worker.ts';

/** Every named instant of the write path; the compiler sees to it that none is forgotten. */
const STEPS: Readonly<Record<Step, { readonly maxOccurrence: number }>> = {
  'lock-taken': { maxOccurrence: 20 },
  'temporary-written': { maxOccurrence: 20 },
  journaled: { maxOccurrence: 20 },
  'old-file-linked': { maxOccurrence: 20 },
  'file-renamed': { maxOccurrence: 20 },
  'files-applied': { maxOccurrence: 20 },
  indexed: { maxOccurrence: 20 },
  'lock-released': { maxOccurrence: 20 },
  'drain-started': { maxOccurrence: 4 },
  'commits-imported': { maxOccurrence: 3 },
  'index-copied': { maxOccurrence: 3 },
  'index-locked': { maxOccurrence: 3 },
  'index-renamed': { maxOccurrence: 3 },
  'reference-updated': { maxOccurrence: 3 },
  'drain-finished': { maxOccurrence: 3 },
  'checkpoint-synced': { maxOccurrence: 2 },
  'segments-removed': { maxOccurrence: 2 },
};

/** Two busy writers meet in the gap before a renaming about once in a thousand saves; people, practically never. */
const MAX_RACED_SHARE = 0.002;

export interface KillOptions {
  readonly seed: number;
  /** Kills at a random instant. */
  readonly randomRounds: number;
  /** Kills at each step whose number is a multiple of this; 1, the default, is all of them. */
  readonly stepsApart?: number | undefined;
  /** Kills at each of these steps. */
  readonly timesPerStep: number;
  /** Rounds on one home before a new one is made; files grow with each. */
  readonly roundsPerHome: number;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface KillSummary {
  rounds: number;
  failpoints: number;
  attempted: number;
  acknowledged: number;
  personLines: number;
  personCommits: number;
  /** Saves lost in the microseconds that no check can cover; more than a few in a thousand are a problem. */
  racedSaves: number;
  lost: number;
  duplicated: number;
  recoveryMaxMs: number;
  readonly problems: string[];
}

type Kill =
  | { readonly kind: 'random'; readonly afterMs: number; readonly group: boolean }
  | { readonly kind: 'step'; readonly failpoint: NonNullable<WorkerOptions['failpoint']> };

/** Kills workers again and again and looks whether anything they said was acknowledged is missing. */
export async function runKillRounds(options: KillOptions): Promise<KillSummary> {
  const summary: KillSummary = {
    rounds: 0,
    failpoints: 0,
    attempted: 0,
    acknowledged: 0,
    personLines: 0,
    personCommits: 0,
    racedSaves: 0,
    lost: 0,
    duplicated: 0,
    recoveryMaxMs: 0,
    problems: [],
  };
  const random = new SeededRandom(options.seed);
  const kills = planKills(options, random);
  for (let start = 0; start < kills.length; start += options.roundsPerHome) {
    await runHome(kills.slice(start, start + options.roundsPerHome), random, summary, options);
  }
  if (summary.racedSaves > 1 + summary.personLines * MAX_RACED_SHARE) {
    summary.problems.push(`${summary.racedSaves} of the person's ${summary.personLines} lines fell into the gap`);
  }
  return summary;
}

function planKills({ randomRounds, stepsApart = 1, timesPerStep }: KillOptions, random: SeededRandom): Kill[] {
  const kills: Kill[] = [];
  for (let round = 0; round < randomRounds; round += 1) {
    kills.push({ kind: 'random', afterMs: random.between(5, 350), group: round % 2 === 0 });
  }
  const steps = Object.entries(STEPS) as [Step, { maxOccurrence: number }][];
  for (const [index, [step, { maxOccurrence }]] of steps.entries()) {
    if (index % stepsApart !== 0) continue;
    for (let time = 0; time < timesPerStep; time += 1) {
      const occurrence = random.between(1, maxOccurrence);
      kills.push({ kind: 'step', failpoint: { step, occurrence, group: random.chance(0.5) } });
    }
  }
  // Mixed, so that each home meets all kinds.
  return kills
    .map((kill) => ({ kill, at: random.number() }))
    .sort((a, b) => a.at - b.at)
    .map(({ kill }) => kill);
}

async function runHome(
  kills: readonly Kill[],
  random: SeededRandom,
  summary: KillSummary,
  options: KillOptions,
): Promise<void> {
  const home = await makeHome();
  const expected = new Expectation();
  let racedSaves = 0;
  for (const kill of kills) {
    const round = await runRound(home, kill, summary.rounds, random, expected);
    summary.rounds += 1;
    if (kill.kind === 'step') summary.failpoints += 1;
    summary.recoveryMaxMs = Math.max(summary.recoveryMaxMs, round.recoveryMs);
    const findings = verifyHome(home, expected);
    racedSaves = findings.raced;
    const problems = [...round.problems, ...findings.problems];
    options.onProgress?.(`round ${summary.rounds}: ${describe(kill)}, recovered in ${round.recoveryMs.toFixed(0)} ms`);
    if (problems.length > 0) {
      summary.lost += findings.lost;
      summary.duplicated += findings.duplicated;
      summary.problems.push(`round ${summary.rounds} in ${home} (${describe(kill)})`, ...problems);
      options.onProgress?.(problems.join('\n'));
      // What is wrong now would be found again in every later round.
      break;
    }
  }
  summary.attempted += expected.attempts.size;
  summary.acknowledged += expected.acknowledged.size;
  summary.personLines += expected.personLines.size;
  summary.personCommits += expected.personCommits.length;
  summary.racedSaves += racedSaves;
  if (summary.problems.length === 0) fs.rmSync(home, { recursive: true, force: true });
}

async function runRound(
  home: string,
  kill: Kill,
  round: number,
  random: SeededRandom,
  expected: Expectation,
): Promise<{ recoveryMs: number; problems: string[] }> {
  const person = new Participant('person.ts', { home, name: `p${round}`, seed: random.integer(1e9) });
  const worker = startWorker(home, `w${round}`, kill, random);
  await Promise.all([person.ready(), worker.ready()]);
  if (kill.kind === 'random') {
    await pause(kill.afterMs);
    worker.kill(kill.group ? 'group' : 'process');
  }
  await worker.killed();
  // The person sometimes goes on while the home is opened again.
  const leavesFirst = random.chance(0.5);
  if (leavesFirst) await person.leave();
  const startedAt = performance.now();
  const workspace = await openWorkspace(home, CRASH_PARTS);
  const recoveryMs = performance.now() - startedAt;
  if (!leavesFirst) await person.leave();
  expected.add([...worker.entries(), ...person.entries()]);
  const problems = [...(await workspace.scan())];
  await workspace.close();
  return { recoveryMs, problems: [...problems, ...(await settle(home))] };
}

function startWorker(home: string, name: string, kill: Kill, random: SeededRandom): Participant {
  const failpoint = kill.kind === 'step' ? kill.failpoint : undefined;
  const options: WorkerOptions = { home, name, seed: random.integer(1e9), callers: random.between(1, 8), failpoint };
  return new Participant('worker.ts', options);
}

/** Everything recorded and in git. Two seconds ahead of time, because replaced files are held for one. */
async function settle(home: string): Promise<string[]> {
  const clock = { now: () => Date.now() + 2000 };
  const workspace = await openWorkspace(home, { ...CRASH_PARTS, clock });
  const problems = await workspace.scan();
  const { postponed } = await workspace.close();
  return [...problems, ...postponed];
}

function describe(kill: Kill): string {
  if (kill.kind === 'random') return `${kill.group ? 'group' : 'process'} killed after ${kill.afterMs} ms`;
  const { step, occurrence, group } = kill.failpoint;
  return `${group ? 'group' : 'process'} killed at ${step} ${occurrence}`;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}
