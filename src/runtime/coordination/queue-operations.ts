import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { plainLine } from '../../operations/command-line/plain.ts';
import { type View, table } from '../../operations/command-line/style.ts';
import { defineVerb } from '../../operations/verb.ts';
import type { QueueState } from './job-queue.ts';
import { openJobQueue } from './open-coordination.ts';
import type { OperationContext } from '../../operations/context.ts';
import { deviceOf } from '../../search-index/open-index.ts';
import { JOBS } from '../jobs/job-table.ts';
import { queueName } from './shared-jobs.ts';

export const jobQueue = defineVerb({
  name: 'jobs queue',
  summary: 'Show what waits in the queue that machines share.',
  input: z.object({}),
  effect: 'read',
  reach: 'shared',
  async run(context): Promise<QueueState[]> {
    const queue = openJobQueue(context);
    if (queue === undefined) {
      throw new MnemeError('usage', 'There is no queue: this memory is not on PostgreSQL.', {
        hint: '`mneme jobs list` shows what this machine does by itself; docs/scale.md tells how machines share.',
      });
    }
    try {
      return await queue.status(queueNames(context));
    } finally {
      await queue.close();
    }
  },
  http: false,
  library: false,
  render,
});

/** Those of all machines first. */
function queueNames({ homeIndex }: OperationContext): string[] {
  const device = deviceOf(homeIndex.parts);
  const ofAll = JOBS.filter(({ queue }) => queue === 'shared');
  const own = JOBS.filter(({ queue }) => queue !== 'shared');
  return [...ofAll, ...own].flatMap((job) => queueName(job, device) ?? []);
}

function render({ style }: View, states: readonly QueueState[]): string {
  const header = ['job', 'waiting', 'running', 'given up'].map((title) => style.dim(title));
  const rows = states.map(({ job, waiting, active, dead }) => [
    job,
    String(waiting),
    String(active),
    dead === 0 ? '0' : style.red(String(dead)),
  ]);
  const reasons = states.flatMap(({ job, givenUp }) =>
    givenUp.map(({ occurrence, reason }) => `${style.red('given up')} ${job} of ${occurrence}: ${plainLine(reason)}\n`),
  );
  return table([header, ...rows]) + reasons.join('');
}
