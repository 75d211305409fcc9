import { Occurrences } from './occurrences.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts';

/** When a job is to run. */
export interface JobSchedule {
  readonly cron: string;
  readonly timeZone: string;
  /** Whether one that was missed is made up for. */
  readonly catchUp: boolean;
  /** The delay after the cron time; fixed for a job in a home. */
  readonly jitterMs: number;
}

/** The recorded past of a job. */
export interface JobMemory {
  /** Up to which occurrence it is done; what came later has not been served. */
  readonly servedMs: number;
  /** Tries since then that failed or were cut short, and when the last of them ended or began. */
  readonly failures: number;
  readonly lastTryMs?: number | undefined;
}

export interface JobPlan {
  /** The occurrence that a run started now would serve. */
  readonly dueMs?: number | undefined;
  /** The earliest moment at which something is due; undefined when nothing ever is. */
  readonly nextMs?: number | undefined;
  /** Missed occurrences that nobody makes up for: from here on they count as served. */
  readonly skipTo?: number | undefined;
  /** The memory is of a time that has not come: the clock was put back, and the job begins anew with this moment. */
  readonly startsOver?: boolean | undefined;
}

const FIRST_PAUSE_MS = MINUTE_MS;
const LONGEST_PAUSE_MS = 6 * HOUR_MS;

/** The delay up to which a job is still on time: the daemon was busy with another, or just starting. */
const PUNCTUAL_MS = 10 * MINUTE_MS;

/** A clock that was put back by no more than this, or than the job's own interval, is waited for. */
const LEAST_PATIENCE_MS = 2 * HOUR_MS;

/** Plans a job's work now, and its next run. Pure: the time is an argument. */
export function planJob(schedule: JobSchedule, memory: JobMemory, nowMs: number): JobPlan {
  const occurrences = new Occurrences(schedule.cron, schedule.timeZone);
  const { servedMs } = memory;
  if (isFarAhead(occurrences, servedMs, nowMs))
    return { ...planJob(schedule, { servedMs: nowMs, failures: 0 }, nowMs), startsOver: true };
  const jitterMs = boundedJitter(occurrences, schedule.jitterMs, nowMs);
  const missedMs = occurrences.upTo(nowMs - jitterMs);
  const nextMs = plus(occurrences.after(Math.max(servedMs, nowMs - jitterMs)), jitterMs);
  // Several that were missed are made up for by one run: the last.
  if (missedMs === undefined || missedMs <= servedMs) return { nextMs };
  const isLate = nowMs - jitterMs - missedMs > PUNCTUAL_MS;
  if (isLate && !schedule.catchUp && memory.failures === 0) return { nextMs, skipTo: missedMs };
  const retryMs = retryAt(occurrences, memory, nowMs);
  return retryMs <= nowMs ? { dueMs: missedMs, nextMs: nowMs } : { nextMs: earlier(retryMs, nextMs) };
}

/**
 * An occurrence that is still to come was served by a clock that ran ahead. A little, and it is not served again; more
 * than the job's interval, and it is forgotten, or the job would be silent until the clock gets there.
 */
function isFarAhead(occurrences: Occurrences, servedMs: number, nowMs: number): boolean {
  const aheadMs = servedMs - nowMs;
  return aheadMs > LEAST_PATIENCE_MS && aheadMs > intervalBefore(occurrences, servedMs);
}

function intervalBefore(occurrences: Occurrences, timeMs: number): number {
  const last = occurrences.upTo(timeMs);
  const before = last === undefined ? undefined : occurrences.upTo(last - MINUTE_MS);
  return last === undefined || before === undefined ? 0 : last - before;
}

/** Never more than a tenth of the interval: a job that runs every few minutes is not spread over an hour. */
function boundedJitter(occurrences: Occurrences, jitterMs: number, nowMs: number): number {
  const intervalMs = intervalBefore(occurrences, nowMs);
  return intervalMs === 0 ? jitterMs : Math.min(jitterMs, Math.floor(intervalMs / 10));
}

/** Each failure doubles the pause, up to the job's own interval. */
function retryAt(occurrences: Occurrences, { failures, lastTryMs }: JobMemory, nowMs: number): number {
  // A clock that was put back says nothing about how long ago it was.
  if (failures === 0 || lastTryMs === undefined || lastTryMs > nowMs) return nowMs;
  const longestMs = Math.min(LONGEST_PAUSE_MS, intervalBefore(occurrences, nowMs) || LONGEST_PAUSE_MS);
  return lastTryMs + Math.min(longestMs, FIRST_PAUSE_MS * 2 ** Math.min(failures - 1, 20));
}

function plus(timeMs: number | undefined, addedMs: number): number | undefined {
  return timeMs === undefined ? undefined : timeMs + addedMs;
}

function earlier(a: number, b: number | undefined): number {
  return b === undefined ? a : Math.min(a, b);
}
