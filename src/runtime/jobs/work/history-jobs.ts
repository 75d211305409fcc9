import type { OperationContext } from '../../../operations/context.ts';
import { pruneExplorations } from '../../../operations/history/explore.ts';
import { maintain } from '../../../operations/history/maintain.ts';
import { counted } from '../../../model/counted.ts';
import type { JobReport } from '../job.ts';

export async function runExplorePruneJob(context: OperationContext): Promise<JobReport> {
  const { dropped } = await pruneExplorations.run(context, {});
  return { summary: `${counted(dropped.length, 'exploration')} dropped` };
}

export async function runMaintenanceJob(context: OperationContext): Promise<JobReport> {
  const reports = await maintain.run(context, { level: 'grown' });
  const whole = reports.filter(({ level }) => level !== 'quick').length;
  return { summary: `${counted(reports.length, 'history', 'histories')} packed, ${whole} of them as a whole` };
}
