import type { OperationContext } from '../context.ts';
import { extract, runExtract } from '../extract/extract.ts';
import { closeIdleSessions } from '../session/open-sessions.ts';
import { counted } from './counted.ts';
import type { JobControls, JobReport } from './job.ts';

export async function runExtractJob(context: OperationContext, controls: JobControls): Promise<JobReport> {
  const { signal, onProgress } = controls;
  await closeIdleSessions(context);
  const { sessions, waiting } = await runExtract(context, extract.input.parse({}), {
    signal,
    onProgress: ({ done, total }) => onProgress(`session ${done + 1} of ${total}`),
  });
  const left = waiting === 0 ? '' : `, ${waiting} still wait`;
  return { summary: `${counted(sessions.length, 'session')} processed${left}` };
}
