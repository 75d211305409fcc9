import fs from 'node:fs';
import { errorMessage } from '../../model/errors.ts';
import { sleep, type Clock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { yieldToOthers, type Machine } from '../../platform/machine.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { findPause } from '../../operations/background/pause.ts';
import { hasWaiting } from '../../operations/background/leaves-work.ts';
import { isWorkerAllowed } from '../../operations/background/background-worker.ts';
import type { OperationContext } from '../../operations/context.ts';
import { readHome } from '../../workspace/home.ts';
import { daemonLock, homePaths, workerLock } from '../../workspace/home-paths.ts';
import { DaemonLog } from '../daemon/daemon-log.ts';
import { runBackground } from './background-loop.ts';

export interface WorkerParts {
  readonly home: string;
  readonly open: () => Promise<{ readonly context: OperationContext; close(): Promise<void> }>;
  /** A file of the program: replaced or removed, another version was installed. */
  readonly programFile: string | undefined;
  readonly clock: Clock;
  readonly machine?: Machine | undefined;
}

/** Looking at a lock takes it for an instant: a worker that starts just then asks again. */
const LOCK_ATTEMPTS = 5;
const LOCK_PAUSE_MS = 40;

/** Limit on rounds: work that cannot be done at present would otherwise start round after round. */
const MOST_ROUNDS = 3;

/** Does background work on a home until nothing is left, at the lowest priority. One for each home. */
export async function runWorker(parts: WorkerParts, signal: AbortSignal): Promise<void> {
  const { paths, config } = await readHome(parts.home);
  if (!isWorkerAllowed(config) || findPause(paths.journal, parts.clock) !== undefined) return;
  if (!(await isFree(workerLock(paths))) || ProcessLock.isHeld(daemonLock(paths))) return;
  yieldToOthers();
  const log = new DaemonLog({ name: 'worker', folder: paths.logs, clock: parts.clock });
  const program = stampOf(parts.programFile);
  const settings = stampOf(paths.configFile);
  const whyStop = (): string | undefined => {
    if (stampOf(parts.programFile) !== program) return 'another version of Mneme was installed';
    if (stampOf(paths.configFile) !== settings) return 'the settings have changed, or the home is gone';
    return ProcessLock.isHeld(daemonLock(paths)) ? 'a daemon does it from now on' : undefined;
  };
  log.write('info', 'started', 'The worker has started.', { pid: process.pid });
  try {
    const end = await workOn(parts, { signal, whyStop, onProblem: (message) => log.write('warn', 'problem', message) });
    if (fs.existsSync(paths.configFile)) log.write('info', 'ended', `The worker has ended: ${whyStop() ?? end}.`);
  } catch (error) {
    if (fs.existsSync(paths.configFile)) log.write('error', 'failed', `The worker has failed: ${errorMessage(error)}`);
    throw error;
  }
}

async function isFree(lock: string): Promise<boolean> {
  for (let attempt = 1; ProcessLock.isHeld(lock); attempt += 1) {
    if (attempt === LOCK_ATTEMPTS) return false;
    await sleep(LOCK_PAUSE_MS);
  }
  return true;
}

interface Controls {
  readonly signal: AbortSignal;
  readonly whyStop: () => string | undefined;
  readonly onProblem: (message: string) => void;
}

async function workOn({ open, machine, home }: WorkerParts, controls: Controls): Promise<string> {
  const opened = await open();
  const { context } = opened;
  try {
    for (let round = 1; ; round += 1) {
      const end = await runBackground({ context, machine, ...controls });
      // Another process that wrote while the lock was held relied on this worker to go on, so the worker looks once more.
      const isLeft = end === 'nothing left' && (hasWaiting(context) || (await context.homeIndex.lacksVectors()));
      if (!isLeft || round === MOST_ROUNDS) return end;
    }
  } finally {
    // Closing a home that was moved away would make some of it anew.
    if (fs.existsSync(homePaths(home).configFile)) await opened.close();
  }
}

function stampOf(file: string | undefined): string {
  const stamp = file === undefined ? undefined : nodeFileSystem.stamp(file);
  return JSON.stringify(stamp, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value)) ?? '';
}
