import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { findPause } from '../../operations/background/pause.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from '../jobs/job.ts';
import { isServerTrouble } from '../../search-index/postgres/trouble.ts';
import { runJob, type JobOutcome } from '../jobs/run-job.ts';
import { underPermit } from '../../workspace/door/request.ts';
import { waitFor } from '../../platform/clock.ts';
import type { JobQueue, TakenJob } from './job-queue.ts';
import type { Held, WriterLease } from './writer-lease.ts';
import { MAX_JOB_MS } from '../jobs/scheduler.ts';

/** The name of a job in the queue that machines share; undefined for jobs that do not go through it. */
export function queueName({ name, queue }: Pick<Job, 'name' | 'queue'>, device: string): string | undefined {
  if (queue === undefined) return undefined;
  return queue === 'shared' ? name : `${name}.${device}`;
}

/** The interval for checking the queue; the jobs in it have all night. */
const LOOK_MS = 15_000;
/** Well within what is left of a lease when it is renewed. */
const RENEW_MS = 5000;

export interface SharedJobsParts {
  readonly context: OperationContext;
  readonly jobs: readonly Job[];
  readonly queue: Pick<JobQueue, 'add' | 'take' | 'hasWaiting'>;
  readonly lease: Pick<WriterLease, 'take' | 'isCurrent' | 'permit' | 'device'>;
  readonly lookMs?: number | undefined;
  readonly renewMs?: number | undefined;
  readonly onStart?: ((job: string) => void) | undefined;
  readonly onEnd?: ((outcome: JobOutcome) => void) | undefined;
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** Jobs of several daemons: whoever finds one due puts it into the queue, and the one that may write does it. */
export class SharedJobs {
  readonly #parts: SharedJobsParts;
  #running: string | undefined;

  constructor(parts: SharedJobsParts) {
    this.#parts = parts;
  }

  /** For the scheduler: what goes through the queue is only put there; the others run as ever. */
  get scheduled(): Job[] {
    return this.#parts.jobs.map((job) => (this.#queueName(job) === undefined ? job : this.#handOver(job)));
  }

  /** Does what is in the queue, until it is told to stop. */
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
    const { queue, lease, context } = this.#parts;
    if (findPause(context.workspace.paths.journal, context.clock) !== undefined) return 0;
    let done = 0;
    for (const job of this.#parts.jobs) {
      const name = this.#queueName(job);
      if (signal.aborted || name === undefined) continue;
      // The lease is for who has something to write: an idle machine must not keep the others from it.
      if (!(await queue.hasWaiting(name))) continue;
      const held = this.#needsLease(job) ? await lease.take() : 'not needed';
      if (held === undefined) continue;
      const taken = await queue.take(name);
      if (taken === undefined) continue;
      await this.#do(job, taken, held, signal);
      done += 1;
    }
    return done;
  }

  async #do(job: Job, taken: TakenJob, held: Held | 'not needed', signal: AbortSignal): Promise<void> {
    const { context, lease, onStart, onEnd, onProblem } = this.#parts;
    onStart?.(job.name);
    this.#running = job.name;
    const ended = new AbortController();
    const lost = new AbortController();
    const overtime = AbortSignal.timeout(MAX_JOB_MS);
    const renewing = held === 'not needed' ? undefined : this.#renew(held, lost, ended.signal);
    try {
      const stop = AbortSignal.any([signal, overtime, lost.signal]);
      const permit = held === 'not needed' ? undefined : lease.permit();
      const outcome = await underPermit(permit, () => runJob(context, job, { signal: stop }));
      // Another machine may have continued it meanwhile; doing it twice adds nothing, calling it done twice would.
      const isOurs = held === 'not needed' || (await lease.isCurrent(held.fence));
      const isSettled =
        outcome.state === 'done' && isOurs
          ? await taken.done()
          : await taken.failed(new Error(isOurs ? outcome.summary : 'the lease ended before the job did'));
      if (!isSettled) onProblem?.(`${job.name} took so long that another machine does it now.`);
      onEnd?.(outcome);
    } catch (error) {
      // Such as somebody who runs it by hand: another time, rather than when everybody has forgotten it.
      await taken.failed(error);
      throw error;
    } finally {
      this.#running = undefined;
      ended.abort();
      await renewing;
    }
  }

  /** A job may take longer than a lease lasts. */
  async #renew({ fence }: Held, lost: AbortController, ended: AbortSignal): Promise<void> {
    for (;;) {
      await waitFor(this.#parts.renewMs ?? RENEW_MS, ended);
      if (ended.aborted) return;
      try {
        const held = await this.#parts.lease.take();
        if (held?.fence === fence) continue;
        lost.abort();
        return;
      } catch (error) {
        if (!isMnemeError(error)) throw error;
        // It may come back in time; whether it did is asked when the job is done.
        this.#parts.onProblem?.(errorMessage(error));
      }
    }
  }

  #queueName(job: Job): string | undefined {
    return queueName(job, this.#parts.lease.device);
  }

  /** One's own vectors need nobody's leave, and what one learns from one's own transcripts only where one writes alone. */
  #needsLease({ queue }: Job): boolean {
    return queue === 'shared' || (queue === 'own' && this.#parts.context.config.index.postgres_writer_lease);
  }

  #handOver(job: Job): Job {
    const name = this.#queueName(job) ?? job.name;
    const isOwn = name !== job.name;
    const run: Job['run'] = async (context, controls) => {
      const time = new Date(controls.occurrenceMs ?? this.#parts.context.clock.now()).toISOString();
      try {
        if (isOwn && (await this.#parts.queue.hasWaiting(name))) return { summary: 'one waits in the queue already' };
        const isNew = await this.#parts.queue.add(name, time);
        return { summary: isNew ? 'put into the queue of all machines' : 'another machine has put it into the queue' };
      } catch (error) {
        // The machine's own jobs run without the server.
        if (!isOwn || this.#needsLease(job) || !isServerTrouble(error)) throw error;
        const { summary, notes = [] } = await job.run(context, controls);
        return { summary, notes: [`done without the queue: ${errorMessage(error)}`, ...notes] };
      }
    };
    const whyOff: Job['whyOff'] = (context) =>
      this.#running === job.name ? 'it runs at this moment' : job.whyOff?.(context);
    return Object.assign({ ...job }, { run, whyOff });
  }
}
