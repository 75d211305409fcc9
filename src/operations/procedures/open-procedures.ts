import { nodeFileSystem } from '../../platform/fs.ts';
import { Executions } from '../../memory/procedures/executions/executions.ts';
import { Procedures } from '../../memory/procedures/procedures.ts';
import type { Actions } from '../../memory/procedures/workflow/actions.ts';
import { openAnswerCache } from '../../memory/procedures/workflow/answer-cache.ts';
import type { AnswerCache } from '../../memory/procedures/workflow/drive.ts';
import { RunJournal } from '../../memory/procedures/workflow/run-journal.ts';
import { RunQueue } from '../../memory/procedures/workflow/run-queue.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { OperationContext } from '../context.ts';
import { registerBuiltIns } from './built-in-actions.ts';

/** The procedures of one open home, and everything that runs them. */
export interface OpenProcedures {
  readonly store: Procedures;
  readonly executions: Executions;
  readonly journal: RunJournal;
  readonly actions: Actions;
  readonly queue: RunQueue;
  readonly cache: AnswerCache;
  /** What runs under way have said, by run. */
  readonly said: Map<string, string[]>;
}

const opened = new WeakMap<Workspace, OpenProcedures>();

/** Made when a procedure is first asked for. */
export function proceduresOf(context: OperationContext): OpenProcedures {
  const known = opened.get(context.workspace);
  if (known !== undefined) return known;
  const { workspace, config, clock, random, layout } = context;
  const { journal, state, repositories } = workspace.paths;
  const root = repositories.workspace.workTree;
  const parts = { root, clock, random, timeZone: config.time_zone };
  const procedures: OpenProcedures = {
    store: new Procedures(parts, layout),
    executions: new Executions(root),
    journal: new RunJournal(nodeFileSystem, journal, workspace.redactor),
    actions: context.actions,
    queue: new RunQueue(config.procedures.max_at_once),
    cache: openAnswerCache(nodeFileSystem, state, clock),
    said: new Map(),
  };
  registerBuiltIns(context, procedures);
  opened.set(workspace, procedures);
  return procedures;
}
