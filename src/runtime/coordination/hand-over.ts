import { UlidFactory } from '../../model/ids.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { JobOutcome } from '../jobs/run-job.ts';
import { openJobQueue } from './open-coordination.ts';
import { SHARED_JOBS } from './shared-jobs.ts';

/** Where another machine writes, a job for all that somebody asks for here goes to that machine; undefined elsewhere. */
export async function handOverToWriter(context: OperationContext, job: string): Promise<JobOutcome | undefined> {
  if (!SHARED_JOBS.includes(job) || context.writer === undefined) return undefined;
  const reason = await context.writer.whyNot();
  const queue = reason === undefined ? undefined : openJobQueue(context);
  if (reason === undefined || queue === undefined) return undefined;
  const { clock, random } = context;
  const nowMs = clock.now();
  try {
    await queue.add(job, new Date(nowMs).toISOString());
  } finally {
    await queue.close();
  }
  return {
    job,
    run: new UlidFactory((length) => random.bytes(length)).next(nowMs),
    state: 'done',
    summary: 'put into the queue of all machines',
    notes: [`${reason} The daemon of the machine that may write does it; \`mneme jobs queue\` shows whether it has.`],
    tookMs: 0,
  };
}
