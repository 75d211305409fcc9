/**
 * The write path at 20 000 files: how long an acknowledgement takes beside a bare fdatasync, how many mutations per
 * second sixteen callers get through door and git, and how often a person's plain `git commit` succeeds meanwhile.
 *
 *   npm run bench:write -- [--files 20000] [--acks 400] [--seconds 60] [--human 100] [--json]
 */
import { execFile, execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { makeHome, openWorkspace } from '../test/support/home.ts';
import type { CommitRequest } from '../src/workspace/door/request.ts';
import type { Workspace } from '../src/workspace/workspace.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '20000' },
    acks: { type: 'string', default: '400' },
    seconds: { type: 'string', default: '60' },
    human: { type: 'string', default: '100' },
    json: { type: 'boolean', default: false },
  },
});
const fileCount = Number(values.files);
const pause = promisify(setTimeout);

function noteName(index: number): string {
  return `memory/notes/${String(index % 100).padStart(2, '0')}/note-${index}.md`;
}

/** Fills the workspace with notes and commits them, as an import would have left it. */
function fillWorkspace(home: string): void {
  const root = path.join(home, 'workspace');
  for (let index = 0; index < fileCount; index += 1) {
    const file = path.join(root, noteName(index));
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, `# Note ${index}\n\n- the first fact of note ${index}\n- the second fact\n`);
  }
  execFileSync('git', ['add', '-A'], { cwd: root });
  execFileSync('git', ['commit', '-q', '-m', 'notes'], { cwd: root });
  execFileSync('sync', ['-f', home]);
}

let counter = 0;
function nextMutation(): CommitRequest {
  counter += 1;
  const number = counter;
  return {
    actor: 'bot:bench',
    approval: 'auto',
    trigger: 'bench:write',
    summary: `fact ${number}`,
    changes: [
      { path: noteName((number * 7919) % fileCount), edit: (current) => `${current ?? ''}- fact number ${number}\n` },
    ],
  };
}

/** One acknowledgement and one bare append + fdatasync in turn, equally paced, so that both meet the same disk. */
async function measureAcknowledgements(
  workspace: Workspace,
  home: string,
): Promise<{ acks: number[]; bare: number[] }> {
  const acks: number[] = [];
  const bare: number[] = [];
  const descriptor = fs.openSync(path.join(home, 'bare.bin'), 'w');
  const datasync = promisify(fs.fdatasync);
  const block = Buffer.alloc(600, 'x');
  let position = 0;
  for (let round = 0; round < Number(values.acks); round += 1) {
    await pause(10);
    const bareStart = performance.now();
    fs.writeSync(descriptor, block, 0, block.length, position);
    position += block.length;
    await datasync(descriptor);
    bare.push(performance.now() - bareStart);
    await pause(10);
    const ackStart = performance.now();
    await workspace.commit(nextMutation());
    acks.push(performance.now() - ackStart);
  }
  fs.closeSync(descriptor);
  return { acks, bare };
}

/** Sixteen callers, each waiting for its acknowledgement; the clock stops when every commit is in git. */
async function measureThroughput(workspace: Workspace): Promise<{ perSecond: number; count: number }> {
  const startedAt = performance.now();
  const untilMs = startedAt + Number(values.seconds) * 1000;
  let count = 0;
  const caller = async (): Promise<void> => {
    while (performance.now() < untilMs) {
      await workspace.commit(nextMutation());
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: 16 }, caller));
  const { postponed } = await workspace.drain();
  if (postponed.length > 0) throw new Error(postponed.join('; '));
  return { perSecond: count / ((performance.now() - startedAt) / 1000), count };
}

/** A person adds and commits a file of their own again and again beside 50 mutations a second. */
async function measureHuman(workspace: Workspace, home: string): Promise<{ rate: number; worstTries: number }> {
  const root = path.join(home, 'workspace');
  const git = promisify(execFile);
  const agentEnd = new AbortController();
  const agent = (async (): Promise<void> => {
    while (!agentEnd.signal.aborted) {
      await Promise.all([workspace.commit(nextMutation()), pause(20)]);
    }
  })();
  let firstTime = 0;
  let worstTries = 0;
  const attempts = Number(values.human);
  for (let index = 0; index < attempts; index += 1) {
    fs.writeFileSync(path.join(root, 'mine.md'), `my line ${index}\n`);
    for (let tries = 1; ; tries += 1) {
      try {
        await git('git', ['add', 'mine.md'], { cwd: root });
        await git('git', ['commit', '-q', '-m', `mine ${index}`, '--', 'mine.md'], { cwd: root });
        if (tries === 1) firstTime += 1;
        worstTries = Math.max(worstTries, tries);
        break;
      } catch (error) {
        if (tries === 10) throw error;
        // As long as it takes to press the up arrow and return.
        await pause(250);
      }
    }
    await pause(250);
  }
  agentEnd.abort();
  await agent;
  return { rate: firstTime / attempts, worstTries };
}

const home = await makeHome();
progress(`filling ${fileCount} files`);
fillWorkspace(home);
const first = await openWorkspace(home);
await first.scan();
await first.close();

const openStart = performance.now();
const workspace = await openWorkspace(home);
await workspace.scan();
const openMs = performance.now() - openStart;

progress('acknowledgements beside bare fdatasync');
const { acks, bare } = await measureAcknowledgements(workspace, home);
progress(`sixteen callers for ${values.seconds} s`);
const throughput = await measureThroughput(workspace);
progress('a person commits meanwhile');
const human = await measureHuman(workspace, home);
await workspace.close();

const root = path.join(home, 'workspace');
const status = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' });
if (status !== '') throw new Error(`git status is not clean:\n${status}`);
execFileSync('git', ['fsck', '--strict', '--no-progress'], { cwd: root, stdio: 'ignore' });
fs.rmSync(home, { recursive: true });

printResult(values.json, 'write', {
  files: fileCount,
  ackP50Ms: percentile(acks, 0.5),
  ackP95Ms: percentile(acks, 0.95),
  fdatasyncP50Ms: percentile(bare, 0.5),
  fdatasyncP95Ms: percentile(bare, 0.95),
  mutationsPerSecond: throughput.perSecond,
  mutations: throughput.count,
  humanCommitRate: human.rate,
  humanWorstTries: human.worstTries,
  openMs,
});
