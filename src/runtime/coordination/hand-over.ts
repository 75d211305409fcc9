import { UlidFactory } from '../../model/ids.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { JobOutcome } from '../jobs/run-job.ts';
import { openJobQueue } from './open-coordination.ts';
import { deviceOf } from '../../search-index/open-index.ts';
import type { Job } from '../jobs/job.ts';
import { queueName } from './shared-jobs.ts';

const SHARED_NOTE = 'The daemon of the machine that may write does it;';
const OWN_NOTE = 'This machine’s daemon does it once it may write;';

/** Where another machine writes, a job that somebody asks for here goes to that machine, or waits until it is this one’s turn; undefined elsewhere. */
export async function handOverToWriter(context: OperationContext, job: Job): Promise<JobOutcome | undefined> {
  const name = job.queue === 'unwritten' ? undefined : queueName(job, deviceOf(context.homeIndex.parts));
  if (name === undefined || context.writer === undefined) return undefined;
  const reason = await context.writer.whyNot();
  const queue = reason === undefined ? undefined : openJobQueue(context);
  if (reason === undefined || queue === undefined) return undefined;
  const { clock, random } = context;
  const nowMs = clock.now();
  try {
    await queue.add(name, new Date(nowMs).toISOString());
  } finally {
    await queue.close();
  }
  return {
    job: job.name,
    run: new UlidFactory((length) => random.bytes(length)).next(nowMs),
    state: 'done',
    summary: 'put into the queue of all machines',
    notes: [`${reason} ${job.queue === 'own' ? OWN_NOTE : SHARED_NOTE} \`mneme jobs queue\` shows whether it has.`],
    tookMs: 0,
  };
}
