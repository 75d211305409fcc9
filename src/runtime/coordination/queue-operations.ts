import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { defineOperation } from '../../operations/operation.ts';
import type { QueueState } from './job-queue.ts';
import { openJobQueue } from './open-coordination.ts';
import { SHARED_JOBS } from './shared-jobs.ts';

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
      return await queue.status(SHARED_JOBS);
    } finally {
      await queue.close();
    }
  },
});
