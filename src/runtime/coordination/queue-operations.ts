import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { QueueState } from './job-queue.ts';
import { openJobQueue } from './open-coordination.ts';
import type { OperationContext } from '../../operations/context.ts';
import { deviceOf } from '../../search-index/open-index.ts';
import { OWN_JOBS, ownQueueName, SHARED_JOBS } from './shared-jobs.ts';

export const jobQueue = defineOperation({
  name: 'jobs queue',
  summary: 'What waits in the queue that machines share.',
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
      return await queue.status([...SHARED_JOBS, ...ownNames(context)]);
    } finally {
      await queue.close();
    }
  },
});

function ownNames({ homeIndex }: OperationContext): string[] {
  const device = deviceOf(homeIndex.parts);
  return OWN_JOBS.map((job) => ownQueueName(job, device));
}
