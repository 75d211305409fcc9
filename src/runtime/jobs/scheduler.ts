import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { findPause } from '../../operations/background/pause.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from './job.ts';
import { JobLog, recallJob } from './job-log.ts';
import { runJob, type JobOutcome } from './run-job.ts';
import { type JobMemory, type JobSchedule, planJob, scheduleName, scheduleOf, whyOff } from './plan.ts';
import { waitFor } from '../../platform/clock.ts';

/** A job that takes longer is told to stop; its next run goes on. */
export const MAX_JOB_MS = 120 * 60_000;
/** A machine that slept, or whose clock was changed, is noticed within this time. */
const LONGEST_WAIT_MS = 30_000;
/** The interval for noticing `mneme daemon resume`. */
const PAUSE_LOOK_MS = 5000;
/** A job that does not stop when told to is left behind after this; its lock keeps it from being started again. */
const STOP_GRACE_MS = 60_000;

export interface SchedulerEvents {
  readonly onStart?: ((job: string) => void) | undefined;
  readonly onProgress?: ((job: string, text: string) => void) | undefined;
  readonly onEnd?: ((outcome: JobOutcome) => void) | undefined;
  readonly onSkip?: ((job: string, scheduledMs: number) => void) | undefined;
  /** Trouble that is no job's own, such as a log that cannot be written. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

export interface SchedulerParts extends SchedulerEvents {
  readonly context: OperationContext;
  readonly jobs: readonly Job[];
  /** Less than usual in tests. */
  readonly maxJitterMs?: number | undefined;
}

interface DueJob {
  readonly job: Job;
  readonly schedule: JobSchedule;
  readonly timeMs: number;
}

/** Runs jobs at their times, one after the other: two at once would be in each other's way on a small machine. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #log: JobLog;
  readonly #memories = new Map<string, { readonly schedule: string; readonly memory: JobMemory }>();

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    this.#log = new JobLog(parts.context.workspace.paths.journal);
  }

  /** Until it is told to stop; a job that runs is told so, and waited for. */
  async run(signal: AbortSignal): Promise<void> {
    this.#log.removeOld();
    while (!signal.aborted) {
      const { due, waitMs } = await this.#look();
      if (due === undefined) await waitFor(waitMs, signal);
      else await this.#runDue(due, signal);
    }
  }

  async #look(): Promise<{ readonly due?: DueJob | undefined; readonly waitMs: number }> {
    const { clock, workspace } = this.#parts.context;
    if (findPause(workspace.paths.journal, clock) !== undefined) return { waitMs: PAUSE_LOOK_MS };
    const nowMs = clock.now();
    let due: DueJob | undefined;
    let waitMs = LONGEST_WAIT_MS;
    for (const job of this.#parts.jobs) {
      const schedule = scheduleOf(this.#parts.context, job, this.#parts.maxJitterMs);
      if (schedule === undefined) continue;
      const plan = planJob(schedule, await this.#memoryOf(job, schedule), nowMs);
      if (plan.startsOver === true) await this.#startOver(job, schedule);
      if (plan.skipTo !== undefined) await this.#skip(job, schedule, plan.skipTo);
      if (plan.nextMs !== undefined && plan.dueMs === undefined) waitMs = Math.min(waitMs, plan.nextMs - nowMs);
      if (plan.dueMs === undefined || (due !== undefined && due.timeMs <= plan.dueMs)) continue;
      // Asked only when it matters: the answer may need git.
      if ((await whyOff(this.#parts.context, job)) === undefined) due = { job, schedule, timeMs: plan.dueMs };
    }
    return { due, waitMs: Math.max(0, waitMs) };
  }

  async #memoryOf(job: Job, schedule: JobSchedule): Promise<JobMemory> {
    const name = scheduleName(schedule);
    const cached = this.#memories.get(job.name);
    if (cached?.schedule === name) return cached.memory;
    const recalled = recallJob(this.#log.read(), job.name, name) ?? (await this.#meet(job, name));
    this.#memories.set(job.name, { schedule: name, memory: recalled });
    return recalled;
  }

  /** Written down, because a machine that is off every night at three would otherwise never miss anything. */
  async #meet(job: Job, schedule: string): Promise<JobMemory> {
    const time = this.#parts.context.clock.now();
    await this.#log.append({ event: 'known', job: job.name, time, schedule });
    return { servedMs: time, failures: 0 };
  }

  async #startOver(job: Job, schedule: JobSchedule): Promise<void> {
    const name = scheduleName(schedule);
    this.#memories.set(job.name, { schedule: name, memory: await this.#meet(job, name) });
    this.#parts.onProblem?.(`${job.name} last ran at a time that has not come yet: the clock was put back.`);
  }

  async #skip(job: Job, schedule: JobSchedule, scheduledMs: number): Promise<void> {
    const time = this.#parts.context.clock.now();
    const line = { event: 'skipped', job: job.name, time, schedule: scheduleName(schedule), scheduled: scheduledMs };
    await this.#log.append({ ...line, event: 'skipped' });
    this.#memories.delete(job.name);
    this.#parts.onSkip?.(job.name, scheduledMs);
  }

  async #runDue({ job, schedule, timeMs }: DueJob, signal: AbortSignal): Promise<void> {
    const { context, onStart, onProgress, onEnd, onProblem } = this.#parts;
    onStart?.(job.name);
    const overtime = AbortSignal.timeout(MAX_JOB_MS);
    const stop = AbortSignal.any([signal, overtime]);
    const running = runJob(context, job, {
      serves: { schedule: scheduleName(schedule), timeMs },
      signal: stop,
      onProgress: (text) => onProgress?.(job.name, text),
    });
    try {
      const outcome = await untilAbandoned(running, stop);
      if (outcome === undefined) onProblem?.(`${job.name} does not stop; the other jobs go on without it.`);
      else onEnd?.(outcome);
    } catch (error) {
      onProblem?.(`${job.name}: ${errorMessage(error)}`);
      // A user runs it by hand, or its log cannot be written: either way not again at once.
      await waitFor(isMnemeError(error, 'locked') ? LONGEST_WAIT_MS / 6 : LONGEST_WAIT_MS, signal);
    } finally {
      this.#memories.delete(job.name);
    }
  }
}

/** The outcome of the job; undefined when it went on although it was told to stop. */
async function untilAbandoned(running: Promise<JobOutcome>, stop: AbortSignal): Promise<JobOutcome | undefined> {
  const ended = new AbortController();
  const abandoned = async (): Promise<undefined> => {
    await waitFor(Infinity, AbortSignal.any([stop, ended.signal]));
    await waitFor(STOP_GRACE_MS, ended.signal);
    return undefined;
  };
  try {
    return await Promise.race([running, abandoned()]);
  } finally {
    ended.abort();
    // Left behind, it may still fail, long after anybody listens.
    running.catch(() => undefined);
  }
}
