import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { sleep, type Clock } from '../../platform/clock.ts';
import { replaceFile } from '../../platform/fs.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { daemonLock, homePaths } from '../../workspace/home-paths.ts';

export interface DaemonStatus {
  readonly home: string;
  readonly isRunning: boolean;
  readonly pid: number | null;
  /** Whether it gave a sign of life lately; null when none runs. */
  readonly isResponsive: boolean | null;
  readonly heartbeat: Heartbeat | null;
}

/** This many missed heartbeats mean that the daemon hangs, or that the machine slept. */
const MISSED_BEATS = 3;

export function readDaemonStatus(home: string, clock: Clock): DaemonStatus {
  const { state } = homePaths(home);
  const lock = daemonLock({ state });
  if (!ProcessLock.isHeld(lock)) return { home, isRunning: false, pid: null, isResponsive: null, heartbeat: null };
  const pid = ProcessLock.findHolder(lock) ?? null;
  const found = findHeartbeat(state);
  // One of an earlier daemon, while this one is still starting.
  const heartbeat = found?.pid === pid ? found : undefined;
  const silentMs = heartbeat === undefined ? 0 : clock.now() - Date.parse(heartbeat.beat);
  const allowedMs = MISSED_BEATS * (heartbeat?.intervalSeconds ?? 1) * 1000;
  return { home, isRunning: true, pid, isResponsive: silentMs <= allowedMs, heartbeat: heartbeat ?? null };
}

export interface StoppedDaemon {
  readonly home: string;
  readonly pid: number | null;
  readonly wasRunning: boolean;
}

/** More than the daemon itself allows its jobs and git to finish. */
const STOP_TIMEOUT_MS = 45_000;
const POLL_MS = 100;

/** Asks the daemon to end and waits until it has. */
export async function stopDaemon(home: string): Promise<StoppedDaemon> {
  const lock = daemonLock(homePaths(home));
  if (!ProcessLock.isHeld(lock)) return { home, pid: null, wasRunning: false };
  const pid = ProcessLock.findHolder(lock);
  if (pid === undefined) {
    throw new MnemeError('failure', 'A daemon runs, but it is not known as which process.', {
      hint: 'Look for `mneme daemon` among the processes and end it; nothing is lost by that.',
    });
  }
  signalProcess(pid);
  for (let waitedMs = 0; ProcessLock.isHeld(lock); waitedMs += POLL_MS) {
    if (waitedMs > STOP_TIMEOUT_MS) {
      throw new MnemeError('locked', `Process ${pid} did not end within ${STOP_TIMEOUT_MS / 1000} s.`, {
        hint: 'See what it is doing (`mneme daemon service logs`), or end it by force; nothing is lost by that.',
      });
    }
    await sleep(POLL_MS);
  }
  return { home, pid, wasRunning: true };
}

function signalProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch (error) {
    const code = systemCode(error);
    // It ended by itself meanwhile.
    if (code === 'ESRCH') return;
    throw new MnemeError('refused', `Process ${pid} cannot be asked to end (${code ?? 'unknown error'}).`, {
      hint: 'It belongs to somebody else, or to a service: `mneme daemon service status`.',
      cause: error,
    });
  }
}

const heartbeat = z.object({
  pid: z.int(),
  version: z.string(),
  started: z.string(),
  beat: z.string(),
  intervalSeconds: z.number(),
  /** The job that runs; null between jobs. */
  job: z.string().nullable(),
  progress: z.string().nullable(),
  metrics: z.object({
    jobsDone: z.int(),
    jobsFailed: z.int(),
    problems: z.int(),
    rssMb: z.number(),
    cpuSeconds: z.number(),
  }),
  /** The last thing that went wrong; null when nothing did. */
  lastProblem: z.string().nullable(),
});

export type Heartbeat = z.output<typeof heartbeat>;

function heartbeatFile(state: string): string {
  return path.join(state, 'daemon.json');
}

/** A sign of life, whole at any moment. */
export function writeHeartbeat(state: string, beat: Heartbeat): void {
  fs.mkdirSync(state, { recursive: true });
  replaceFile(heartbeatFile(state), `${JSON.stringify(beat)}\n`);
}

function findHeartbeat(state: string): Heartbeat | undefined {
  const file = heartbeatFile(state);
  if (!fs.existsSync(file)) return undefined;
  try {
    return heartbeat.safeParse(JSON.parse(fs.readFileSync(file, 'utf8'))).data;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

export function removeHeartbeat(state: string): void {
  fs.rmSync(heartbeatFile(state), { force: true });
}
