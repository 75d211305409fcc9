import fs from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError, isMnemeError, systemCode } from '../../model/errors.ts';
import { type Clock, sleep } from '../../platform/clock.ts';
import { nodeFileSystem, replaceFile } from '../../platform/fs.ts';
import { DAY_MS } from '../../model/time.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { daemonLock, homePaths } from '../../workspace/home-paths.ts';

export const LOG_LEVELS = ['error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export interface LogLine {
  readonly time: string;
  readonly level: LogLevel;
  readonly event: string;
  readonly message: string;
  readonly [field: string]: unknown;
}

/** A program that goes wrong in a loop must not fill the disk. */
const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** Long enough to look into what happened over a holiday. */
const KEEP_DAYS = 14;

/** The process that writes the log; each has its own files. */
export type LogName = 'daemon' | 'worker';

const LOG_NAME = /^(daemon|worker)-(\d{4}-\d{2}-\d{2})\.jsonl$/u;

export interface DaemonLogOptions {
  readonly name?: LogName | undefined;
  readonly folder: string;
  readonly clock: Clock;
  /** Called with every line that is written, and with the reason when one could not be. */
  readonly onLine?: ((line: LogLine) => void) | undefined;
}

/** The log of the daemon or the worker: JSON lines, a file a day. Opened for each line, because an erasure may replace the file. */
export class DaemonLog {
  readonly #options: DaemonLogOptions;
  #day = '';
  #isFull = false;

  constructor(options: DaemonLogOptions) {
    this.#options = options;
  }

  write(level: LogLevel, event: string, message: string, fields: Readonly<Record<string, unknown>> = {}): void {
    const { clock, onLine } = this.#options;
    const line: LogLine = { time: new Date(clock.now()).toISOString(), level, event, message, ...fields };
    onLine?.(line);
    this.#append(line);
  }

  #append(line: LogLine): void {
    const { folder, onLine, name = 'daemon' } = this.#options;
    const day = line.time.slice(0, 10);
    if (day !== this.#day) this.#begin(day);
    const file = path.join(folder, `${name}-${day}.jsonl`);
    try {
      const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? 0;
      if (size > MAX_FILE_BYTES && this.#isFull) return;
      this.#isFull = size > MAX_FILE_BYTES;
      const last = { ...line, level: 'error', event: 'log-full', message: 'No more is written down today.' };
      fs.mkdirSync(folder, { recursive: true, mode: 0o700 });
      nodeFileSystem.append(file, Buffer.from(`${JSON.stringify(this.#isFull ? last : line)}\n`, 'utf8'));
    } catch (error) {
      // A full disk must not end the daemon; whoever started it in a terminal hears of it.
      const why = systemCode(error) ?? (isMnemeError(error) ? error.message : undefined);
      if (why === undefined) throw error;
      onLine?.({ ...line, level: 'error', event: 'log-failed', message: `The log cannot be written (${why}).` });
    }
  }

  #begin(day: string): void {
    this.#day = day;
    this.#isFull = false;
    const { folder, name: own = 'daemon' } = this.#options;
    const oldest = new Date(Date.parse(day) - KEEP_DAYS * DAY_MS).toISOString().slice(0, 10);
    for (const { name, day: ofDay } of listLogs(folder, own)) {
      if (ofDay < oldest) fs.rmSync(path.join(folder, name), { force: true });
    }
  }
}

function listLogs(folder: string, whose: LogName): { readonly name: string; readonly day: string }[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder)
    .flatMap((name) => {
      const [, by, day] = LOG_NAME.exec(name) ?? [];
      return day === undefined || by !== whose ? [] : [{ name, day }];
    })
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** The last lines, the oldest of them first. */
export function readLog(
  folder: string,
  limit: number,
  level: LogLevel = 'debug',
  whose: LogName = 'daemon',
): LogLine[] {
  const lines: LogLine[] = [];
  for (const { name } of listLogs(folder, whose).reverse()) {
    const text = fs.readFileSync(path.join(folder, name), 'utf8');
    const ofDay = text.split('\n').flatMap(parseLine);
    lines.unshift(...ofDay.filter((line) => LOG_LEVELS.indexOf(line.level) <= LOG_LEVELS.indexOf(level)));
    if (lines.length >= limit) break;
  }
  return lines.slice(-limit);
}

function parseLine(text: string): LogLine[] {
  if (text === '') return [];
  try {
    const value = JSON.parse(text) as Partial<LogLine> | null;
    const isLine =
      value !== null && typeof value.time === 'string' && LOG_LEVELS.some((level) => level === value.level);
    return isLine ? [{ event: '', message: '', ...value } as LogLine] : [];
  } catch (error) {
    // A line that a power cut left unfinished.
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

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

interface StoppedDaemon {
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
