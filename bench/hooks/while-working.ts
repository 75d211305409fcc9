/** What the worker does after an import, and what hooks cost meanwhile. */
import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { must } from '../../src/model/errors.ts';
import { transcripts } from '../../src/operations/extract/waiting.ts';
import { initHome } from '../../src/operations/home/init.ts';
import { workerLock } from '../../src/workspace/home-paths.ts';
import { sleep } from '../../src/platform/clock.ts';
import { ProcessLock } from '../../src/platform/process-lock.ts';
import { makeTemporaryFolder } from '../../test/support/home.ts';
import { generateClaudeCodeLogs } from '../logs/generate.ts';
import { percentile, progress } from '../support.ts';

const NEWEST = 10;
/** Between two hooks: back to back they would be a load of their own, for which the worker makes room. */
const HOOK_PAUSE_MS = 1000;
const LOOK_MS = 2000;
/** The newest without a vector; all of them would take so long that the hooks would be slowed by this benchmark. */
const LOOKED_AT = 300;
const GIVE_UP_MS = 600_000;

export interface WorkingParts {
  readonly program: string;
  readonly sessions: number;
  /** A folder that training/ exported; the packaged model when not given. */
  readonly model: string | undefined;
  /** Settings besides. */
  readonly settings: string;
  readonly timeHook: (home: string, input: Record<string, unknown>) => Promise<number>;
}

export interface WhileWorking {
  readonly sessions: number;
  readonly passages: number;
  /** From the end of the import until the ten newest conversations were learned from and embedded. */
  readonly newestDoneSeconds: number;
  readonly hooks: number;
  readonly hookP50Ms: number;
  readonly hookP95Ms: number;
  readonly p95MsByEvent: Readonly<Record<string, number>>;
  /** Of the machine at the end: more than its cores means that others slowed it down. */
  readonly loadAverage: number;
}

export async function timeWhileWorking(parts: WorkingParts): Promise<WhileWorking> {
  const home = makeTemporaryFolder('mneme-working-');
  const logs = makeTemporaryFolder('mneme-logs-');
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  const model = parts.model === undefined ? '' : `embedding:\n  builtin:\n    model: ${parts.model}\n`;
  fs.appendFileSync(path.join(home, 'mneme.yaml'), `${model}${parts.settings}`);
  generateClaudeCodeLogs(logs, { sessions: parts.sessions });
  progress(`importing ${parts.sessions} sessions`);
  await importLogs(parts.program, home, logs);
  const startedMs = performance.now();
  const mneme = await openMneme({ home, mode: 'read' });
  const newest = transcripts(mneme.internals).slice(-NEWEST);
  const { passages } = await mneme.internals.homeIndex.status();
  progress('hooks while the worker works');
  const hooks: number[] = [];
  let doneMs: number | undefined;
  const looking = untilDone(mneme, newest).then((ms) => (doneMs = ms - startedMs));
  const byEvent = new Map<string, number[]>();
  for (let round = 0; doneMs === undefined; round += 1) {
    const input = inputOf(home, round);
    const tookMs = await parts.timeHook(home, input);
    hooks.push(tookMs);
    const event = String(input['hook_event_name']);
    byEvent.set(event, [...(byEvent.get(event) ?? []), tookMs]);
    await sleep(HOOK_PAUSE_MS);
  }
  await looking;
  await mneme.close();
  await endWorker(home);
  for (const folder of [home, logs]) fs.rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  return {
    sessions: parts.sessions,
    passages,
    newestDoneSeconds: must(doneMs, 'an end') / 1000,
    hooks: hooks.length,
    hookP50Ms: percentile(hooks, 0.5),
    hookP95Ms: percentile(hooks, 0.95),
    p95MsByEvent: Object.fromEntries([...byEvent].map(([event, times]) => [event, percentile(times, 0.95)])),
    loadAverage: os.loadavg()[0] ?? 0,
  };
}

/** As a user would: this command starts the worker. */
async function importLogs(program: string, home: string, logs: string): Promise<void> {
  const args = [program, '--home', home, 'import', 'claude-code', logs];
  const env = { ...process.env, MNEME_WORKER: '' };
  const code = await new Promise((resolve) => {
    spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'], env }).once('close', resolve);
  });
  if (code !== 0) throw new Error(`the import ended with ${String(code)}`);
}

const EVENTS = ['SessionStart', 'UserPromptSubmit', 'Stop', 'UserPromptSubmit', 'Stop', 'SessionEnd'] as const;

function inputOf(home: string, round: number): Record<string, unknown> {
  const number = Math.floor(round / EVENTS.length);
  const log = path.join(home, `live-${number}.jsonl`);
  const timestamp = new Date(Date.UTC(2026, 9, 1) + round * 60_000).toISOString();
  const message = { role: 'user', content: `And what about the connection pool, part ${round}?` };
  const line = { type: 'user', uuid: `live-${round}`, timestamp, cwd: '/home/sam/code/harbour-api', message };
  fs.appendFileSync(log, `${JSON.stringify(line)}\n`);
  return {
    session_id: `live-${number}`,
    transcript_path: log,
    cwd: '/home/sam/code/harbour-api',
    hook_event_name: EVENTS[round % EVENTS.length],
    source: 'startup',
    prompt: 'what did we decide about the connection pool in the harbour api?',
  };
}

/** When the conversations were learned from, and neither they nor what was learned from them lacks a vector. */
async function untilDone({ internals: { workspace, homeIndex } }: Mneme, newest: readonly string[]): Promise<number> {
  const ids = (await homeIndex.models()).map(({ embedder }) => embedder.id);
  const processed = path.join(workspace.paths.journal, 'extracted.txt');
  const raw = workspace.paths.repositories.raw.workTree;
  const sessions = new Set(newest.map((file) => sessionIn(path.join(raw, file))));
  const giveUpMs = performance.now() + GIVE_UP_MS;
  while (performance.now() < giveUpMs) {
    await sleep(LOOK_MS);
    const lines = fs.existsSync(processed) ? fs.readFileSync(processed, 'utf8').split('\n') : [];
    if (newest.some((file) => !lines.includes(file))) continue;
    const lacking = await Promise.all(ids.map((id) => homeIndex.engine.listMissingVectors(id, LOOKED_AT)));
    const view = await homeIndex.engine.view({ scopes: ['shared'] });
    const passages = await view.read([...new Set(lacking.flat().map(({ passage }) => passage))]);
    if (!passages.some(({ session }) => session !== undefined && sessions.has(session))) return performance.now();
  }
  throw new Error(`the ten newest conversations were not done within ${GIVE_UP_MS / 1000} s`);
}

function sessionIn(file: string): string {
  const head = fs.readFileSync(file, 'utf8').slice(0, 2048);
  return must(/^session_id: *"?([^\s"]+)/mu.exec(head)?.[1], `the session of ${file}`);
}

async function endWorker(home: string): Promise<void> {
  const lock = workerLock({ state: path.join(home, 'state') });
  const pid = ProcessLock.isHeld(lock) ? ProcessLock.findHolder(lock) : undefined;
  if (pid !== undefined) process.kill(pid, 'SIGTERM');
  while (ProcessLock.isHeld(lock)) {
    await sleep(100);
  }
}
