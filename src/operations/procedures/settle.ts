import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { RunJournal } from '../../memory/procedures/workflow/run-journal.ts';
import { RunLock } from '../../memory/procedures/workflow/run-lock.ts';
import type { RunState } from '../../memory/procedures/workflow/state.ts';
import type { OperationContext } from '../context.ts';
import { recordRun } from './record-run.ts';

/** Records runs that ended just before their process died. */
export async function settleEnded(context: OperationContext): Promise<void> {
  const open = await context.parts.workflows();
  for (const run of open.journal.list()) {
    if (findState(open.journal, run).state?.ending === undefined) continue;
    const lock = RunLock.tryTake(context.workspace.paths.state, run);
    if (lock === undefined) continue;
    try {
      // The previous holder may have recorded the run between our look and the lock.
      const state = open.journal.read(run);
      if (state?.ending !== undefined) await recordRun(context, open, state);
      lock.remove(nodeFileSystem);
    } finally {
      lock.release();
    }
  }
}

export interface FoundState {
  readonly state: RunState | undefined;
  /** Why the journal of the run cannot be read. */
  readonly problem: string | undefined;
}

export function findState(journal: RunJournal, run: string): FoundState {
  try {
    return { state: journal.read(run), problem: undefined };
  } catch (error) {
    if (!isMnemeError(error, 'integrity')) throw error;
    return { state: undefined, problem: errorMessage(error) };
  }
}

/** Whether a process is at it right now. */
export function isDriven(context: OperationContext, run: string): boolean {
  return RunLock.isTaken(context.workspace.paths.state, run);
}
