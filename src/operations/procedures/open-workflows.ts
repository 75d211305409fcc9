import path from 'node:path';
import type { Json } from '../../memory/procedures/expression/evaluate.ts';
import type { Clock } from '../../platform/clock.ts';
import { type FileSystem, nodeFileSystem } from '../../platform/fs.ts';
import { Executions } from '../../memory/procedures/executions/record.ts';
import type { Procedures } from '../../memory/procedures/procedures.ts';
import type { Actions } from '../../memory/procedures/workflow/actions.ts';
import type { AnswerCache } from '../../memory/procedures/workflow/drive.ts';
import { RunJournal } from '../../memory/procedures/workflow/run-journal.ts';
import { RunQueue } from '../../memory/procedures/workflow/run-lock.ts';
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

interface Kept {
  readonly atMs: number;
  readonly answer: Json;
}

/** Answers of steps that say `cache: 1h`, a file each under `state/`, which an erasure drops as a whole. */
function openAnswerCache(fs: FileSystem, stateFolder: string, clock: Clock): AnswerCache {
  const folder = path.join(stateFolder, 'step-answers');
  const fileOf = (call: string): string => path.join(folder, `${call}.json`);
  return {
    find(call, maxAgeMs) {
      const bytes = fs.read(fileOf(call));
      const kept = bytes === undefined ? undefined : parseKept(bytes.toString('utf8'));
      return kept === undefined || clock.now() - kept.atMs >= maxAgeMs ? undefined : kept.answer;
    },
    keep(call, answer) {
      fs.makeDirectory(folder);
      fs.write(fileOf(call), Buffer.from(JSON.stringify({ atMs: clock.now(), answer } satisfies Kept), 'utf8'));
    },
  };
}

/** Written in one go and unsynced: after a crash it may be cut short, and then the action is simply called. */
function parseKept(text: string): Kept | undefined {
  return text.endsWith('}') ? (JSON.parse(text) as Kept) : undefined;
}
