/**
 * How long a hook holds up Claude Code: the published bundle, started anew for every event as Claude Code does, on a
 * home with imported sessions and a log that grows between two calls.
 *
 *   npm run bench:hooks -- [--sessions 100] [--rounds 15] [--json]
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { generateClaudeCodeLogs } from './logs/generate.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '15' },
    json: { type: 'boolean', default: false },
  },
});

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'PreCompact', 'SessionEnd'] as const;
const root = path.resolve(import.meta.dirname, '..');

/** The package as it is published: without sources the launcher takes the bundle. */
function buildPackage(): string {
  const folder = makeTemporaryFolder('mneme-package-');
  const tsdown = path.join(root, 'node_modules', 'tsdown', 'dist', 'run.mjs');
  execFileSync(process.execPath, [tsdown, '--out-dir', path.join(folder, 'dist')], { cwd: root, stdio: 'ignore' });
  for (const name of ['bin', 'package.json'])
    fs.cpSync(path.join(root, name), path.join(folder, name), { recursive: true });
  fs.symlinkSync(path.join(root, 'assets'), path.join(folder, 'assets'));
  return path.join(folder, 'bin', 'mneme');
}

async function fillHome(): Promise<{ readonly home: string; readonly logs: string; readonly turns: number }> {
  const home = makeTemporaryFolder('mneme-hooks-');
  const logs = makeTemporaryFolder('mneme-logs-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  generateClaudeCodeLogs(logs, { sessions: Number(values.sessions) });
  const mneme = await openMneme({ home });
  const { turns } = await mneme.import({ from: 'claude-code', path: logs });
  await syncIndex(mneme.internals, {});
  await mneme.close();
  return { home, logs, turns };
}

function timeHook(program: string, home: string, input: Record<string, unknown>): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, '--home', home, 'hook', 'claude-code'], { stdio: 'pipe' });
    let complaint = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.on('close', (code) => {
      if (code === 0 && complaint === '') resolve(performance.now() - startedMs);
      else reject(new Error(`${JSON.stringify(input)} ended with ${code}: ${complaint}`));
    });
    child.stdin.end(JSON.stringify(input));
  });
}

progress('building the bundle');
const program = buildPackage();
progress('filling a home');
const { home, logs, turns } = await fillHome();
const source = fs
  .readdirSync(logs, { recursive: true, encoding: 'utf8' })
  .find((name) => name.endsWith('.jsonl') && !name.includes('agent'));
// A session nobody has seen yet: the words of another one under ids of its own.
const lines = fs
  .readFileSync(path.join(logs, source ?? ''), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => line.replaceAll(/"uuid":\s*"/gu, '"uuid":"fresh-'));

/** What starting Node costs here and now, to read the rest by. */
function timeNode(): number {
  const startedMs = performance.now();
  execFileSync(process.execPath, ['-e', '0']);
  return performance.now() - startedMs;
}

const nodeStarts: number[] = [];
const samples = new Map<string, number[]>(EVENTS.map((event) => [event, []]));
const folder = makeTemporaryFolder('mneme-live-');
for (let round = 0; round <= Number(values.rounds); round += 1) {
  nodeStarts.push(timeNode());
  const log = path.join(folder, `live-${round}.jsonl`);
  for (const [step, event] of EVENTS.entries()) {
    const share = Math.floor((lines.length * (step + 1)) / EVENTS.length);
    fs.writeFileSync(log, `${lines.slice(0, share).join('\n').replaceAll('fresh-', `fresh-${round}-`)}\n`);
    const input = {
      session_id: `live-${round}`,
      transcript_path: log,
      cwd: '/home/sam/code/harbour-api',
      hook_event_name: event,
      source: 'startup',
      prompt: 'what did we decide about the connection pool in the harbour api?',
    };
    const tookMs = await timeHook(program, home, input);
    // The first round fills the compile cache, which every installation has after its first day.
    if (round > 0) samples.get(event)?.push(tookMs);
  }
}

const byEvent = Object.fromEntries(
  [...samples].map(([event, times]) => [
    event,
    { p50Ms: Math.round(percentile(times, 0.5)), p95Ms: Math.round(percentile(times, 0.95)) },
  ]),
);
const p95Ms = Math.max(...[...samples.values()].map((times) => percentile(times, 0.95)));
const nodeStartMs = percentile(nodeStarts, 0.5);
printResult(values.json, 'hooks', {
  turns,
  rounds: Number(values.rounds),
  nodeStartMs,
  byEvent,
  p95Ms,
  p95DaemonMs: null,
});
for (const used of [home, logs, folder, path.dirname(path.dirname(program))])
  fs.rmSync(used, { recursive: true, force: true });
