import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError, systemCode } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { DAY_MS } from '../../model/time.ts';

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
