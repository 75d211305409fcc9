import path from 'node:path';
import { runBackup } from '../../../operations/backup/create.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

export async function runBackupJob(context: OperationContext, controls: JobControls): Promise<JobReport> {
  const { file, files, removed, isVerified, notes } = await runBackup(context, {
    ...controls,
    form: context.config.backup.encrypt ? 'sealed' : 'parts',
  });
  const checked = isVerified ? ', checked' : '';
  const gone = removed.length === 0 ? '' : `, ${counted(removed.length, 'older one')} removed`;
  return { summary: `${path.basename(file)}: ${counted(files, 'file')}${checked}${gone}`, notes };
}
