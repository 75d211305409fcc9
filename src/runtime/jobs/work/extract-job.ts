import { learnsByItself } from '../../../operations/background/learns-by-itself.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { extract, runExtract } from '../../../operations/extract/extract.ts';
import { closeIdleSessions } from '../../../operations/session/open-sessions.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

export async function runExtractJob(context: OperationContext, controls: JobControls): Promise<JobReport> {
  const { signal, onProgress, occurrenceMs } = controls;
  const ended = await closeIdleSessions(context);
  // Where it goes on all the time, the newest first and with regard to the machine, the hour adds only quiet sessions.
  if (occurrenceMs !== undefined && context.worker !== undefined && learnsByItself(context)) {
    context.worker.wake();
    return { summary: `${counted(ended.length, 'quiet session')} ended; learning is background work` };
  }
  const { sessions, waiting } = await runExtract(context, extract.input.parse({}), {
    signal,
    onProgress: ({ done, total }) => onProgress(`session ${done + 1} of ${total}`),
  });
  const left = waiting === 0 ? '' : `, ${waiting} still wait`;
  return { summary: `${counted(sessions.length, 'session')} processed${left}` };
}
