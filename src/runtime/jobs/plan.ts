import { hash } from 'node:crypto';
import { Cron } from 'croner';
import { JOB_TIMES } from '../../model/config/running.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from './job.ts';

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

/** When a cron expression comes true in a time zone. Local times that do not exist are made up for, double ones count once. */
export class Occurrences {
  readonly #cron: Cron;

  constructor(expression: string, timeZone: string) {
    this.#cron = new Cron(expression, { timezone: timeZone, paused: true, mode: '5-part' });
  }

  /** The first after a moment; undefined for an expression such as 31 February. */
  after(timeMs: number): number | undefined {
    return this.#cron.nextRun(new Date(timeMs))?.getTime();
  }

  /** The last at or before a moment. */
  upTo(timeMs: number): number | undefined {
    // Looked for before the next minute begins, because one that is exactly now counts.
    const nextMinute = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    return this.#cron.previousRuns(1, new Date(nextMinute))[0]?.getTime();
  }
}

/** Homes on one machine do not all start at the same second. */
const MAX_JITTER_MS = 30_000;

/** When the home's settings want a job; undefined when they switch it off. */
export function scheduleOf(
  { config, home }: Pick<OperationContext, 'config' | 'home'>,
  job: Job,
  maxJitterMs = MAX_JITTER_MS,
): JobSchedule | undefined {
  const { scheduler, time_zone: timeZone } = config;
  const own = scheduler[job.schedule];
  if (own === null) return undefined;
  return {
    cron: own ?? JOB_TIMES[job.schedule],
    timeZone,
    catchUp: true,
    jitterMs: jitterOf(home, job.name, maxJitterMs),
  };
}

/** The name of a schedule in the log. */
export function scheduleName({ cron, timeZone }: JobSchedule): string {
  return `${cron} ${timeZone}`;
}

/** Why a job does not run by itself; undefined when it does, while a daemon runs. */
export async function whyOff(context: OperationContext, job: Job): Promise<string | undefined> {
  if (context.config.scheduler[job.schedule] === null) return `scheduler.${job.schedule} is null`;
  return job.whyOff?.(context);
}

/** Spreads the jobs of many homes over a while; the same for one job in one home every time. */
function jitterOf(home: string, job: string, mostMs: number): number {
  const share = Number.parseInt(hash('sha256', `${home}\0${job}`).slice(0, 8), 16) / 0x1_0000_0000;
  return Math.floor(share * (mostMs + 1));
}
