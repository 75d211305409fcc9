import type { OperationContext } from '../../../operations/context.ts';
import { finishErasures } from '../../../operations/forget/finish.ts';
import { syncIndex } from '../../../operations/search/index-operations.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

export async function runIndexJob(context: OperationContext, controls: JobControls): Promise<JobReport> {
  const { signal, onProgress, occurrenceMs } = controls;
  // Every hour, so that what an erasure had to leave is tried again also where nothing opens the home anew.
  const finished = await finishErasures(context, 'job');
  const report = await syncIndex(context, {
    signal,
    vectors: occurrenceMs !== undefined && context.worker !== undefined ? 'instant' : 'all',
    onProgress: ({ done, total }) => onProgress(`indexing ${done} of ${total}`),
    onEmbedding: ({ done }) => onProgress(`${done} vectors made`),
  });
  const vectors = report.embedding.reduce((sum, { done }) => sum + done, 0);
  const problems = report.embedding.flatMap(({ problem }) => (problem === undefined ? [] : [problem.message]));
  return {
    summary: `${counted(report.put, 'file')} taken over, ${report.removed} removed, ${counted(vectors, 'vector')} made`,
    notes: [...finished, ...report.problems, ...problems],
  };
}
