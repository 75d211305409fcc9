import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { DAY_MS, localTime } from '../../model/time.ts';
import type { Clock } from '../../platform/clock.ts';
import { parseRecord, serializeRecord, type CallRecord } from './prices.ts';

export const LEDGER_FILE = 'costs.jsonl';

export interface LedgerParts {
  /** The home's `journal/`. */
  readonly folder: string;
  readonly clock: Clock;
  readonly timeZone: string;
}

export interface LedgerContents {
  readonly records: readonly CallRecord[];
  readonly unreadableLines: number;
}

/** Calls that are under way: they count as soon as they start, or many at once would all fit below a cap. */
export interface Reservation {
  readonly purpose: string;
  readonly tokens: number;
  /** Undefined when no price is known for the model. */
  readonly usd: number | undefined;
}

/** A day's calls can be a few hundred kilobytes; more is read only when a day has more. */
const TAIL_BYTES = 256 * 1024;
const LINE_END = 0x0a;

/**
 * The cost log of model calls: one line a call, appended and never changed. A line goes out in one write at the end of the file,
 * wherever that is by then, so that processes that write at once all stand in it.
 */
export class Ledger {
  readonly #file: string;
  readonly #clock: Clock;
  readonly #timeZone: string;
  readonly #underWay = new Set<Reservation>();
  /** Records of today and of the hours before it. */
  #recent: CallRecord[] = [];
  #readTo: number | undefined;

  constructor({ folder, clock, timeZone }: LedgerParts) {
    this.#file = path.join(folder, LEDGER_FILE);
    this.#clock = clock;
    this.#timeZone = timeZone;
  }

  record(call: CallRecord): void {
    fs.mkdirSync(path.dirname(this.#file), { recursive: true });
    const line = serializeRecord(call);
    // A line torn by a crash must not take the next one with it.
    fs.appendFileSync(this.#file, this.#endsInsideLine() ? `\n${line}` : line, { mode: 0o600 });
  }

  reserve(reservation: Reservation): () => void {
    this.#underWay.add(reservation);
    return () => this.#underWay.delete(reservation);
  }

  get underWay(): ReadonlySet<Reservation> {
    return this.#underWay;
  }

  /** Every call of the day it is in the home's time zone, by all processes. */
  today(): readonly CallRecord[] {
    this.#catchUp();
    const nowMs = this.#clock.now();
    const dayOf = (timeMs: number): string => localTime(timeMs, this.#timeZone).date;
    const today = dayOf(nowMs);
    return this.#recent.filter(({ timeMs }) => Math.abs(nowMs - timeMs) <= DAY_MS && dayOf(timeMs) === today);
  }

  /** All of it, oldest first. */
  readAll(): LedgerContents {
    return parseLines(readFrom(this.#file, 0));
  }

  /** Reads on where it stopped: another process may have appended. A file that shrank was erased from, so all anew. */
  #catchUp(): void {
    const size = fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    if (this.#readTo === undefined || size < this.#readTo) {
      this.#recent = [];
      this.#readTo = this.#findStart(size);
    }
    if (size === this.#readTo) return;
    const bytes = readFrom(this.#file, this.#readTo);
    const end = bytes.lastIndexOf(LINE_END) + 1;
    this.#readTo += end;
    const oldestMs = this.#clock.now() - 2 * DAY_MS;
    this.#recent = [...this.#recent, ...parseLines(bytes.subarray(0, end)).records].filter(
      ({ timeMs }) => timeMs >= oldestMs,
    );
  }

  /** Where to begin reading so that no call of the last day is missed. */
  #findStart(size: number): number {
    for (let length = TAIL_BYTES; length < size; length *= 4) {
      const bytes = readFrom(this.#file, size - length);
      const from = bytes.indexOf(LINE_END) + 1;
      const [oldest] = parseLines(bytes.subarray(from)).records;
      if (oldest !== undefined && oldest.timeMs < this.#clock.now() - DAY_MS) return size - length + from;
    }
    return 0;
  }

  #endsInsideLine(): boolean {
    const size = fs.statSync(this.#file, { throwIfNoEntry: false })?.size ?? 0;
    return size > 0 && readFrom(this.#file, size - 1)[0] !== LINE_END;
  }
}

function parseLines(bytes: Buffer): LedgerContents {
  const lines = bytes
    .toString('utf8')
    .split('\n')
    .filter((line) => line !== '');
  const records = lines.flatMap((line) => parseRecord(line) ?? []);
  return { records, unreadableLines: lines.length - records.length };
}

function readFrom(file: string, position: number): Buffer {
  let descriptor: number;
  try {
    descriptor = fs.openSync(file, 'r');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw error;
  }
  try {
    const bytes = Buffer.alloc(Math.max(0, fs.fstatSync(descriptor).size - position));
    let filled = 0;
    while (filled < bytes.length) {
      const count = fs.readSync(descriptor, bytes, filled, bytes.length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    fs.closeSync(descriptor);
  }
}

/** The part of the reasoner's settings that limits a day. */
export interface CapConfig {
  readonly daily_max_calls: number;
  readonly daily_max_tokens: number;
  readonly daily_max_usd: number;
  readonly purpose_daily_max_usd: Readonly<Partial<Record<string, number>>>;
}

export interface DayTotals {
  readonly calls: number;
  readonly tokens: number;
  readonly usd: number;
}

/** The totals of today's calls, those under way included; of one purpose or of all. */
export function totalsOf(ledger: Ledger, purpose?: string): DayTotals {
  const done = ledger.today().map((call): Reservation => {
    return { purpose: call.purpose, tokens: call.tokensIn + call.tokensOut, usd: call.usd };
  });
  const counted = [...done, ...ledger.underWay].filter((call) => purpose === undefined || call.purpose === purpose);
  return {
    calls: counted.length,
    tokens: counted.reduce((sum, { tokens }) => sum + tokens, 0),
    usd: counted.reduce((sum, { usd }) => sum + (usd ?? 0), 0),
  };
}

/** Why a call may not be made today, or undefined when it may. */
export function findCapReached(ledger: Ledger, config: CapConfig, call: Reservation): string | undefined {
  const today = totalsOf(ledger);
  if (today.calls + 1 > config.daily_max_calls) {
    return `the day's ${config.daily_max_calls} calls are used up (reasoner.daily_max_calls)`;
  }
  if (today.tokens + call.tokens > config.daily_max_tokens) {
    return `the day's ${config.daily_max_tokens} tokens are used up (reasoner.daily_max_tokens)`;
  }
  if (isOver(today.usd, call, config.daily_max_usd)) {
    return `the day's ${config.daily_max_usd} US dollars are used up (reasoner.daily_max_usd)`;
  }
  const own = config.purpose_daily_max_usd[call.purpose];
  if (own === undefined || !isOver(totalsOf(ledger, call.purpose).usd, call, own)) return undefined;
  return `the day's ${own} US dollars for ${call.purpose} are used up (reasoner.purpose_daily_max_usd)`;
}

/** A model without a known price fits any cap but nothing at all. */
function isOver(spentUsd: number, { usd }: Reservation, cap: number): boolean {
  return usd === undefined ? cap === 0 : spentUsd + usd > cap;
}
