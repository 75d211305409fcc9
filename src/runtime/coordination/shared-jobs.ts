import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from '../../operations/jobs/job.ts';
import { runJob, type JobOutcome } from '../jobs/run-job.ts';
import { waitFor } from '../scheduler/wait.ts';
import type { JobQueue } from './job-queue.ts';
import type { WriterLease } from './writer-lease.ts';

/**
 * What one machine does for all: it works on what every machine has. Jobs about what only one has, such as transcripts
 * that were recorded there, its index and its backups, stay where they are.
 */
export const SHARED_JOBS: readonly string[] = ['daily', 'weekly', 'monthly', 'reflect', 'decay'];

/** How often the queue is looked at; the jobs in it have all night. */
const LOOK_MS = 15_000;

export interface SharedJobsParts {
  readonly context: OperationContext;
  readonly jobs: readonly Job[];
  readonly queue: Pick<JobQueue, 'add' | 'take'>;
  readonly lease: Pick<WriterLease, 'take' | 'isCurrent'>;
  readonly lookMs?: number | undefined;
  readonly onStart?: ((job: string) => void) | undefined;
  readonly onEnd?: ((outcome: JobOutcome) => void) | undefined;
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Jobs of several daemons: whoever finds one due puts it into the queue, and the one that may write does it. */
export class SharedJobs {
  readonly #parts: SharedJobsParts;

  constructor(parts: SharedJobsParts) {
    this.#parts = parts;
  }

  /** For the scheduler: shared jobs are only put into the queue; the others run as ever. */
  get scheduled(): Job[] {
    return this.#parts.jobs.map((job) => (SHARED_JOBS.includes(job.name) ? this.#handOver(job) : job));
  }

  /** Does what is in the queue while this machine may write. */
  async work(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      try {
        await this.workOnce(signal);
      } catch (error) {
        if (!isMnemeError(error)) throw error;
        this.#parts.onProblem?.(errorMessage(error));
      }
      await waitFor(this.#parts.lookMs ?? LOOK_MS, signal);
    }
  }

  /** Returns how many were done. */
  async workOnce(signal: AbortSignal): Promise<number> {
    let done = 0;
    for (const job of this.#parts.jobs) {
      if (signal.aborted || !SHARED_JOBS.includes(job.name)) continue;
      const held = await this.#parts.lease.take();
      if (held === undefined) return done;
      const taken = await this.#parts.queue.take(job.name);
      if (taken === undefined) continue;
      this.#parts.onStart?.(job.name);
      const outcome = await runJob(this.#parts.context, job, { signal });
      // Somebody else may have gone on with it meanwhile; doing it twice adds nothing, calling it done twice would.
      const isOurs = await this.#parts.lease.isCurrent(held.fence);
      if (outcome.state === 'done' && isOurs) await taken.done();
      else await taken.failed(new Error(isOurs ? outcome.summary : 'the lease ended before the job did'));
      this.#parts.onEnd?.(outcome);
      done += 1;
    }
    return done;
  }

  #handOver(job: Job): Job {
    const run: Job['run'] = async (_context, { occurrenceMs }) => {
      const time = new Date(occurrenceMs ?? this.#parts.context.clock.now()).toISOString();
      const isNew = await this.#parts.queue.add(job.name, time);
      return { summary: isNew ? 'put into the queue of all machines' : 'another machine has put it into the queue' };
    };
    return Object.assign({ ...job }, { run });
  }
}
