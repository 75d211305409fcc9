/**
 * How long a hook holds up Claude Code: the published bundle, started anew for every event as Claude Code does, on a
 * home with imported sessions and a log that grows between two calls.
 *
 *   npm run bench:hooks -- [--sessions 100] [--rounds 15] [--long 5000] [--importing 300 [--model FOLDER] [--ignore-load]] [--json]
 *
 * `--long` adds a session of so many turns and times the hooks at its end. `--importing` imports so many conversations into
 * another home, times the worker until the ten newest are learned from and embedded, and the hooks meanwhile;
 * `--ignore-load` lets it go on where others need the machine.
 */
import { execFileSync, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { openMneme } from '../src/mneme.ts';
import { initHome } from '../src/operations/home/init.ts';
import { syncIndex } from '../src/operations/search/index-operations.ts';
import { makeTemporaryFolder } from '../test/support/home.ts';
import { timeWhileWorking } from './hooks/while-working.ts';
import { generateClaudeCodeLogs } from './logs/generate.ts';
import { paragraph } from './logs/prose.ts';
import { seededRandom } from './logs/seeded.ts';
import { percentile, printResult, progress } from './support.ts';

const { values } = parseArgs({
  options: {
    sessions: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '15' },
    long: { type: 'string', default: '0' },
    importing: { type: 'string', default: '0' },
    model: { type: 'string' },
    'ignore-load': { type: 'boolean', default: false },
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

/** Said while nobody has let the memory learn, or vectors are still being made; and one that gave up took its whole time. */
const STANDING_NOTE =
  /^.*(?:conversations wait to be learned from|has vectors for \d+ % so far|given up after \d+ ms).*\n/gmu;

function timeHook(
  program: string,
  home: string,
  input: Record<string, unknown>,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const startedMs = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, '--home', home, 'hook', 'claude-code'], { stdio: 'pipe', env });
    let complaint = '';
    child.stdout.resume();
    child.stderr.on('data', (chunk: Buffer) => (complaint += chunk.toString()));
    child.on('close', (code) => {
      if (code === 0 && complaint.replace(STANDING_NOTE, '') === '') resolve(performance.now() - startedMs);
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

/** Turns between two hooks while the long session grows; and how often each hook is timed at its end. */
const LONG_STEP = 100;
const LONG_ROUNDS = 5;

/** A conversation of weeks: it grows as a real one does, then the hooks are timed. */
async function timeLongSession(turns: number): Promise<Map<string, number[]>> {
  const log = path.join(folder, 'long.jsonl');
  const random = seededRandom(7);
  let told = 0;
  const say = (count: number): void => {
    for (const end = told + count; told < end; told += 1) {
      const role = told % 2 === 0 ? 'user' : 'assistant';
      const timestamp = new Date(Date.UTC(2026, 0, 1) + told * 20_000).toISOString();
      const message = { role, content: [{ type: 'text', text: `${told} ${paragraph(random, 20)}` }] };
      const line = { type: role, uuid: `long-${told}`, timestamp, cwd: '/home/sam/code/harbour-api', message };
      fs.appendFileSync(log, `${JSON.stringify(line)}\n`);
    }
  };
  const run = (event: string): Promise<number> =>
    timeHook(program, home, {
      transcript_path: log,
      cwd: '/home/sam/code/harbour-api',
      hook_event_name: event,
      prompt: 'what did we decide about the connection pool in the harbour api?',
    });
  while (told < turns) {
    say(LONG_STEP);
    await run('Stop');
    await run('UserPromptSubmit');
  }
  const times = new Map<string, number[]>([
    ['UserPromptSubmit', []],
    ['Stop', []],
  ]);
  for (let round = 0; round < LONG_ROUNDS; round += 1) {
    for (const [event, list] of times) {
      say(2);
      list.push(await run(event));
    }
  }
  return times.set('SessionEnd', [await run('SessionEnd')]);
}

function summarize(times: ReadonlyMap<string, readonly number[]>): Record<string, { p50Ms: number; p95Ms: number }> {
  return Object.fromEntries(
    [...times].map(([event, list]) => [
      event,
      { p50Ms: Math.round(percentile(list, 0.5)), p95Ms: Math.round(percentile(list, 0.95)) },
    ]),
  );
}

const longTurns = Number(values.long);
if (longTurns > 0) progress(`a session of ${longTurns} turns`);
const byEvent = summarize(samples);
const longByEvent = longTurns > 0 ? summarize(await timeLongSession(longTurns)) : null;
const importing = Number(values.importing);
const whileWorking =
  importing === 0
    ? null
    : await timeWhileWorking({
        program,
        sessions: importing,
        model: values.model,
        settings: values['ignore-load'] ? 'worker:\n  max_load: 0\n' : '',
        timeHook: (used, input) => timeHook(program, used, input, { ...process.env, MNEME_WORKER: '' }),
      });
const p95Ms = Math.max(...[...samples.values()].map((times) => percentile(times, 0.95)));
const nodeStartMs = percentile(nodeStarts, 0.5);
printResult(values.json, 'hooks', {
  turns,
  rounds: Number(values.rounds),
  nodeStartMs,
  byEvent,
  p95Ms,
  longTurns,
  longByEvent,
  whileWorking,
  p95DaemonMs: null,
});
for (const used of [home, logs, folder, path.dirname(path.dirname(program))])
  fs.rmSync(used, { recursive: true, force: true });
