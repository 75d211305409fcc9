import { sync } from '../../../operations/history/sync.ts';
import { listRemotes } from '../../../workspace/git/remote.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { counted } from '../../../model/counted.ts';
import type { JobReport } from '../job.ts';

export async function whyNotPushed({ config, workspace }: OperationContext): Promise<string | undefined> {
  if (config.git.remote !== null) return undefined;
  return (await listRemotes(workspace.git.workspace)).length === 0 ? 'no remote is set (git.remote)' : undefined;
}

export async function runPushJob(context: OperationContext): Promise<JobReport> {
  const { pulled, pushed, conflicts } = await sync.run(context, sync.input.parse({ remote: null }));
  return {
    summary: `${counted(pulled.commits, 'change')} came, ${pushed.commits} went`,
    notes: conflicts.length === 0 ? [] : [`${counted(conflicts.length, 'conflict')} to look at: mneme proposals`],
  };
}
