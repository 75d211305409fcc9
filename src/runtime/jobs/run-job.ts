import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import { UlidFactory } from '../../model/ids.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from './job.ts';
import { jobLock } from '../../workspace/home-paths.ts';
import { JobLog, type JobLine } from './job-log.ts';

/** The schedule that a run is for, and its time. */
export interface ServedOccurrence {
  readonly schedule: string;
  readonly timeMs: number;
}

export interface RunJobOptions {
  /** Undefined when somebody asked for it. */
  readonly serves?: ServedOccurrence | undefined;
  readonly signal: AbortSignal;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface JobOutcome {
  readonly job: string;
  readonly run: string;
  readonly state: 'done' | 'failed' | 'stopped';
  readonly summary: string;
  readonly notes: readonly string[];
  readonly tookMs: number;
}

/** Runs a job, alone among all processes, and writes down that it did. A failure of the job is an outcome. */
export async function runJob(context: OperationContext, job: Job, options: RunJobOptions): Promise<JobOutcome> {
  const file = jobLock(context.workspace.paths, job.name);
  const lock = ProcessLock.tryTake(file);
  if (lock === undefined) {
    const holder = ProcessLock.findHolder(file);
    throw new MnemeError(
      'locked',
      `${job.name} is running already${holder === undefined ? '' : ` (process ${holder})`}.`,
      {
        hint: 'Wait for it; `mneme jobs history` shows when it is done.',
      },
    );
  }
  try {
    return await runAlone(context, job, options);
  } finally {
    lock.release();
  }
}

async function runAlone(context: OperationContext, job: Job, options: RunJobOptions): Promise<JobOutcome> {
  const { clock, random, workspace } = context;
  const log = new JobLog(workspace.paths.journal);
  const run = new UlidFactory((length) => random.bytes(length)).next(clock.now());
  const { serves } = options;
  const base = { job: job.name, run, schedule: serves?.schedule ?? null, scheduled: serves?.timeMs ?? null };
  await log.append({ ...base, event: 'started', time: clock.now() });
  const startedMs = performance.now();
  const outcome = await attempt(context, job, options);
  const tookMs = Math.round(performance.now() - startedMs);
  const { state, summary, notes } = outcome;
  const ended: JobLine = { ...base, event: 'ended', time: clock.now(), state, tookMs, summary, notes: [...notes] };
  await log.append(ended);
  return { job: job.name, run, state, summary, notes, tookMs };
}

async function attempt(
  context: OperationContext,
  job: Job,
  { signal, onProgress, serves }: RunJobOptions,
): Promise<Pick<JobOutcome, 'state' | 'summary' | 'notes'>> {
  const isStopped = (): boolean => signal.aborted && !isOvertime(signal);
  try {
    const { summary, notes = [] } = await job.run(context, {
      signal,
      onProgress: onProgress ?? (() => undefined),
      occurrenceMs: serves?.timeMs,
    });
    if (isOvertime(signal)) return { state: 'failed', summary: `it took too long and was stopped: ${summary}`, notes };
    return { state: isStopped() ? 'stopped' : 'done', summary, notes };
  } catch (error) {
    const hint = isMnemeError(error) && error.hint !== undefined ? [error.hint] : [];
    return { state: isStopped() ? 'stopped' : 'failed', summary: errorMessage(error), notes: hint };
  }
}

/** Its time was up, which is the job's own failure; anything else that stops it is not. */
function isOvertime({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof Error && reason.name === 'TimeoutError';
}
