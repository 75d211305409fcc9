/**
 * Questions to a long history: how long `log`, `blame`, `when` and finding a mutation take at 100 000 commits, as
 * maintenance leaves them (one pack, commit graph with changed paths).
 *
 *   npm run bench:history -- [--commits 100000] [--rounds 15] [--json]
 */
import { once } from 'node:events';
import { spawn } from 'node:child_process';
import { parseArgs } from 'node:util';
import { UlidFactory } from '../src/model/ids.ts';
import { systemRandom } from '../src/platform/random.ts';
import { blame } from '../src/workspace/git/blame.ts';
import { Git } from '../src/workspace/git/git.ts';
import { logEntries } from '../src/workspace/git/history.ts';
import { whenLearned } from '../src/workspace/git/learned.ts';
import { maintainRepository } from '../src/workspace/git/maintenance.ts';
import { findMutationId, getMutationCommit, resolveRevision, shortMutationId } from '../src/workspace/git/revisions.ts';
import { homePaths } from '../src/workspace/home-paths.ts';
import { makeHome } from '../test/support/home.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    commits: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});
const commitCount = Number(values.commits);
const rounds = Number(values.rounds);

/** A mutation every five minutes: 100 000 of them are a year. */
const SPACING_MS = 300_000;
const nowMs = Date.UTC(2026, 1, 16, 12);
const startMs = nowMs - commitCount * SPACING_MS;

const mutations: string[] = [];
const texts = new Map<string, string>();

/** Each third mutation goes to the day's episodes, the others to one of 4 000 notes, the way a memory is used. */
function fileOf(index: number): string {
  const day = new Date(startMs + index * SPACING_MS).toISOString().slice(0, 10);
  const note = (index * 7919) % 4000;
  return index % 3 === 0 ? `memory/episodes/${day}.md` : `memory/graph/entities/topic--${note}.md`;
}

function* importStream(ulids: UlidFactory, parent: string): Generator<string> {
  for (let index = 0; index < commitCount; index += 1) {
    const file = fileOf(index);
    const timeMs = startMs + index * SPACING_MS;
    const mutation = ulids.next(timeMs);
    mutations.push(mutation);
    const text = `${texts.get(file) ?? `# ${file}\n\n`}- what was said about fact${index} in session ${index % 997}\n`;
    texts.set(file, text);
    const message =
      `[APPEND] ${file} — remembered fact${index}\n\nMutation: ${mutation}\n` +
      `Actor: bot:agent-${index % 50}\nApproval: auto\nSession: ses_${index % 997}\n`;
    const who = `<mneme@localhost> ${Math.floor(timeMs / 1000)} +0000`;
    yield (
      `commit refs/heads/main\nauthor bot ${who}\ncommitter Mneme ${who}\ndata ${Buffer.byteLength(message)}\n${message}` +
        `${index === 0 ? `from ${parent}\n` : ''}M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`
    );
  }
}

async function fillRepository(git: Git): Promise<void> {
  const parent = await git.text(['rev-parse', 'HEAD']);
  const { gitDir } = git.location;
  const child = spawn('git', [`--git-dir=${gitDir}`, 'fast-import', '--quiet', '--force'], {
    stdio: ['pipe', 'inherit', 'inherit'],
  });
  const ended = once(child, 'close');
  for (const piece of importStream(new UlidFactory((length) => systemRandom.bytes(length)), parent)) {
    if (!child.stdin.write(piece)) await once(child.stdin, 'drain');
  }
  child.stdin.end();
  await ended;
  await git.bytes(['read-tree', 'HEAD']);
}

async function measure(name: string, question: (round: number) => Promise<unknown>): Promise<number> {
  const samples: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const start = performance.now();
    await question(round);
    samples.push(performance.now() - start);
  }
  progress(`${name}: ${percentile(samples, 0.5).toFixed(1)} ms`);
  return percentile(samples, 0.5);
}

/** Spread evenly over the history, so that neither the newest nor the oldest decide. */
function indexAt(round: number): number {
  return Math.floor(((round + 0.5) / rounds) * commitCount);
}

const home = await makeHome();
const git = new Git(homePaths(home).repositories.workspace);
progress(`importing ${commitCount} commits`);
await fillRepository(git);
progress('maintaining');
const maintenanceStart = performance.now();
await maintainRepository(git, { level: 'full' });
const maintenanceMs = performance.now() - maintenanceStart;

const mutationAt = (round: number): string => mutations[indexAt(round)] ?? '';
const newest = (round: number): string => mutations[commitCount - 1 - round] ?? '';
const textAt = (round: number): string => `fact${indexAt(round)} `;
printResult(values.json, 'history', {
  commits: commitCount,
  logP50Ms: await measure('log', () => logEntries(git, { limit: 20 })),
  logPathP50Ms: await measure('log PATH', (round) => logEntries(git, { path: fileOf(indexAt(round)), limit: 20 })),
  logTextP50Ms: await measure('log --text', (round) => logEntries(git, { text: `fact${indexAt(round)}`, limit: 1 })),
  blameP50Ms: await measure('blame', (round) => blame(git, fileOf(indexAt(round)), { revision: 'HEAD' })),
  whenP50Ms: await measure('when', (round) => whenLearned(git, textAt(round), { ignoreCase: true, depth: 'lineage' })),
  resolveP50Ms: await measure('resolve a mutation', (round) => getMutationCommit(git, mutationAt(round))),
  resolveShortNewestP50Ms: await measure('resolve a new short id', (round) =>
    findMutationId(git, shortMutationId(newest(round))),
  ),
  resolveShortP50Ms: await measure('resolve any short id', (round) =>
    findMutationId(git, shortMutationId(mutationAt(round))),
  ),
  resolveDateP50Ms: await measure('resolve a date', (round) =>
    resolveRevision(git, new Date(startMs + indexAt(round) * SPACING_MS).toISOString(), nowMs, 'UTC'),
  ),
  whenAllMs: await measureOnce('when --all', () => whenLearned(git, textAt(0), { ignoreCase: true })),
  maintenanceMs,
});

/** Too slow to repeat: every commit is looked at. */
async function measureOnce(name: string, question: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await question();
  progress(`${name}: ${(performance.now() - start).toFixed(0)} ms`);
  return performance.now() - start;
}
