import { nodeFileSystem } from '../../platform/fs.ts';
import { Executions } from '../../memory/procedures/executions/executions.ts';
import type { Procedures } from '../../memory/procedures/procedures.ts';
import type { Actions } from '../../memory/procedures/workflow/actions.ts';
import { openAnswerCache } from '../../memory/procedures/workflow/answer-cache.ts';
import type { AnswerCache } from '../../memory/procedures/workflow/drive.ts';
import { RunJournal } from '../../memory/procedures/workflow/run-journal.ts';
import { RunQueue } from '../../memory/procedures/workflow/run-queue.ts';
import type { OperationContext } from '../context.ts';
import { registerBuiltIns } from './built-in-actions.ts';

/** Runs at a time in one process, the more urgent first: each may start a program. */
export const MAX_AT_ONCE = 4;

/** The procedures of one open home, and everything that runs them. */
export interface Workflows {
  readonly store: Procedures;
  readonly executions: Executions;
  readonly journal: RunJournal;
  readonly actions: Actions;
  readonly queue: RunQueue;
  readonly cache: AnswerCache;
  /** The output of active runs, by run. */
  readonly said: Map<string, string[]>;
  /** On whose behalf runs under way act, by run. */
  readonly startedBy: Map<string, OperationContext>;
}

export function openWorkflows(context: OperationContext, store: Procedures): Workflows {
  const { workspace, clock } = context;
  const { journal, state, repositories } = workspace.paths;
  const workflows: Workflows = {
    store,
    executions: new Executions(repositories.workspace.workTree),
    journal: new RunJournal(nodeFileSystem, journal, workspace.redactor),
    actions: context.actions,
    queue: new RunQueue(MAX_AT_ONCE),
    cache: openAnswerCache(nodeFileSystem, state, clock),
    said: new Map(),
    startedBy: new Map(),
  };
  registerBuiltIns(workflows);
  return workflows;
}
