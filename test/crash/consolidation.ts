/**
 * Kills `mneme learn consolidate` at random instants and looks whether what it leaves in the end is what an undisturbed run
 * leaves.
 *
 *   node test/crash/consolidation.ts [kills per pass] [seed]
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { DAY_MS } from '../../src/model/time.ts';

const PROGRAM = path.resolve(import.meta.dirname, '../../bin/mneme');
const DAYS = 30;
const FIRST_DAY_MS = Date.UTC(2026, 0, 5);
const NAMES = ['Vera', 'Anna', 'Fiona', 'Ruth', 'Peter', 'Clara', 'David', 'Emma', 'Oscar', 'Hanna'];
const PERIODS = ['day', 'week', 'month'] as const;

export interface ConsolidationKills {
  kills: number;
  /** Runs that were still going on when they were killed. */
  interrupted: number;
  readonly problems: string[];
}

async function makeHome(): Promise<string> {
  const home = path.join(makeTemporaryFolder(), 'home');
  await initTestHome(home);
  const folder = path.join(home, 'workspace/memory/episodes');
  fs.mkdirSync(folder, { recursive: true });
  for (let day = 0; day < DAYS; day += 1) {
    const date = new Date(FIRST_DAY_MS + day * DAY_MS).toISOString().slice(0, 10);
    const id = String(day).padStart(2, '0');
    const entries = [
      `## 09:00 | fact | tags:[people]\n<!-- importance:0.8 trust:user source:user-explicit -->\n${NAMES[day % NAMES.length]} lives in Graz. ^kkkkkkkkkkk${id}\n`,
      `## 10:00 | event | tags:[mail]\n\nAnswered the mail of day ${id}. ^mmmmmmmmmmm${id}\n`,
      `## 11:00 | error\n\nThe pump of day ${id} failed. ^eeeeeeeeeee${id}\n`,
    ];
    fs.writeFileSync(
      path.join(folder, `${date}.md`),
      `---\ntype: episodes\ndate: ${date}\n---\n\n# ${date}\n\n${entries.join('\n')}`,
    );
  }
  return home;
}

function runToEnd(home: string, period: string): void {
  execFileSync(process.execPath, [PROGRAM, '--home', home, 'consolidate', period], { stdio: 'pipe' });
}

/** True when it was still running. */
function killAfter(home: string, period: string, delayMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [PROGRAM, '--home', home, 'consolidate', period], {
      detached: true,
      stdio: 'ignore',
    });
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), 'SIGKILL'), delayMs);
    child.once('exit', (_code, signal) => {
      clearTimeout(timer);
      resolve(signal === 'SIGKILL');
    });
  });
}

/** What stands in the files, without what is new each time: ids, and when it was written. */
function contentOf(home: string): Map<string, string> {
  const root = path.join(home, 'workspace/memory');
  const files = fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.name.endsWith('.md'));
  return new Map(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .filter((file) => !file.includes('/meta/proposals/') && !file.endsWith('pending-reflection.md'))
      .map((file): [string, string] => [path.relative(root, file), withoutIds(fs.readFileSync(file, 'utf8'))])
      .toSorted(([one], [other]) => one.localeCompare(other)),
  );
}

function withoutIds(text: string): string {
  return text
    .replaceAll(/\^[0-9a-z]{13}/gu, '^id')
    .replaceAll(/^id: [0-9a-z]{13}$/gmu, 'id: id')
    .replaceAll(/consolidated_into:[0-9a-z]{13}/gu, 'consolidated_into:id')
    .replaceAll(/^(?:updated|created|learned): .*$/gmu, '')
    .replaceAll(/\d\.\d\d?\b/gu, 'n');
}

export async function runConsolidationKills(kills: number, seed: number): Promise<ConsolidationKills> {
  const random = new SeededRandom(seed);
  const summary: ConsolidationKills = { kills: 0, interrupted: 0, problems: [] };
  const undisturbed = await makeHome();
  for (const period of PERIODS) runToEnd(undisturbed, period);
  const expected = contentOf(undisturbed);
  const home = await makeHome();
  for (const period of PERIODS) {
    for (let kill = 0; kill < kills; kill += 1) {
      summary.kills += 1;
      if (await killAfter(home, period, random.between(300, 2500))) summary.interrupted += 1;
    }
    // Each pass builds on what the one before it leaves.
    runToEnd(home, period);
  }
  const found = contentOf(home);
  for (const file of new Set([...expected.keys(), ...found.keys()])) {
    if (expected.get(file) !== found.get(file)) summary.problems.push(`${file} is not what an undisturbed run leaves`);
  }
  try {
    execFileSync(process.execPath, [PROGRAM, '--home', home, 'check'], { stdio: 'pipe' });
  } catch (error) {
    summary.problems.push(`check: ${String(error)}`);
  }
  if (summary.problems.length > 0) summary.problems.push(`compare ${undisturbed} and ${home}`);
  return summary;
}

if (import.meta.main) {
  const summary = await runConsolidationKills(Number(process.argv[2] ?? 100), Number(process.argv[3] ?? 1));
  console.log(JSON.stringify(summary, undefined, 1));
  process.exitCode = summary.problems.length === 0 ? 0 : 1;
}
