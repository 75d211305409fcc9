import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { hasDueProcedures, runDue, type DueRuns } from './run-due.ts';
import { hasDueTopics, topicEvent } from '../topics/activate.ts';
import type { RunControls } from './drive.ts';

/** A topic that came due longer ago has nothing to say in the conversation that goes on now. */
const LONGEST_LOOK_BACK_MS = 10 * 60_000;

/** Why there is nothing to run now; undefined when there is. */
export async function whyNothingIsDue(context: OperationContext): Promise<string | undefined> {
  if (await hasDueProcedures(context)) return undefined;
  const isTopicDue = context.parts.sessions().list().length > 0 && (await hasDueTopics(context, lastLookMs(context)));
  return isTopicDue ? undefined : 'no procedure and no topic is due';
}

export interface TriggersRun extends DueRuns {
  /** Topics that were activated. */
  readonly activated: readonly string[];
}

export const runTriggers = defineOperation({
  name: 'triggers run',
  summary: 'Run the procedures and activate the topics whose time has come.',
  input: z.object({}),
  effect: 'write',
  withoutLease: 'own',
  run: (context, _given, controls?: RunControls): Promise<TriggersRun> => runAllDue(context, controls),
});

async function runAllDue(context: OperationContext, controls: RunControls = {}): Promise<TriggersRun> {
  const fromMs = lastLookMs(context);
  const nowMs = context.clock.now();
  const { activated } = await topicEvent.run(context, { kind: 'cron', fromMs });
  noteLook(context, nowMs);
  return { ...(await runDue(context, { assume: false }, controls)), activated };
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
