import type { OperationContext } from '../../operations/context.ts';
import { runOperation } from '../../operations/operation.ts';
import type { JobList, RunInfo } from './job-operations.ts';
import type { JobOutcome } from './run-job.ts';

/** What runs by itself while a daemon runs: `m.jobs.list()`. */
export class JobVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async list(): Promise<JobList> {
    await this.#assertOpen();
    return runOperation((await import('./job-operations.ts')).listJobs, this.#context, {});
  }

  async run(job: string): Promise<JobOutcome> {
    await this.#assertOpen();
    return runOperation((await import('./job-operations.ts')).runJobNow, this.#context, { job });
  }

  /** The newest first. */
  async history(
    options: { readonly job?: string | undefined; readonly limit?: number | undefined } = {},
  ): Promise<RunInfo[]> {
    await this.#assertOpen();
    return runOperation((await import('./job-operations.ts')).jobHistory, this.#context, options);
  }
}
