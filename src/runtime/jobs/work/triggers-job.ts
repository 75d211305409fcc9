import path from 'node:path';
import { nodeFileSystem } from '../../../platform/fs.ts';
import type { OperationContext } from '../../../operations/context.ts';
import { hasDueProcedures, runDue } from '../../../operations/procedures/run-due.ts';
import { hasDueTopics, topicEvent } from '../../../operations/topics/activate.ts';
import { counted } from '../../../model/counted.ts';
import type { JobControls, JobReport } from '../job.ts';

/** A topic that came due longer ago has nothing to say in the conversation that goes on now. */
const LONGEST_LOOK_BACK_MS = 10 * 60_000;

/** Why there is nothing to run now; undefined when there is. */
export async function whyNothingIsDue(context: OperationContext): Promise<string | undefined> {
  if (await hasDueProcedures(context)) return undefined;
  const isTopicDue = context.parts.sessions().list().length > 0 && (await hasDueTopics(context, lastLookMs(context)));
  return isTopicDue ? undefined : 'no procedure and no topic is due';
}

export async function runTriggersJob(context: OperationContext, { signal }: JobControls): Promise<JobReport> {
  const fromMs = lastLookMs(context);
  const nowMs = context.clock.now();
  const { activated } = await topicEvent.run(context, { kind: 'cron', fromMs });
  noteLook(context, nowMs);
  const { runs, problems } = await runDue(context, { assume: false }, { signal });
  const waiting = runs.filter(({ status }) => status === 'waiting').length;
  const left = waiting === 0 ? '' : ` (${waiting} wait for an answer: mneme procedure runs)`;
  return {
    summary: `${counted(runs.length, 'procedure')} run${left}, ${counted(activated.length, 'topic')} activated`,
    notes: problems,
  };
}

function lastLookMs({ workspace, clock }: OperationContext): number {
  const nowMs = clock.now();
  const noted = Number(nodeFileSystem.read(noteFile(workspace.paths))?.toString('utf8').trim() ?? Number.NaN);
  const earliest = nowMs - LONGEST_LOOK_BACK_MS;
  return noted > earliest && noted <= nowMs ? noted : earliest;
}

function noteLook({ workspace }: OperationContext, nowMs: number): void {
  const file = noteFile(workspace.paths);
  nodeFileSystem.makeDirectory(path.dirname(file));
  nodeFileSystem.write(file, Buffer.from(`${nowMs}\n`));
}

/** Lost with `state/`, it costs a topic that is activated twice. */
function noteFile({ state }: { readonly state: string }): string {
  return path.join(state, 'jobs', 'triggers.looked');
}
