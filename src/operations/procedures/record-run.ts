import { roleOf } from '../../model/mutation.ts';
import { type ExecutionRecord, countRun, makeRecord, rateChange } from '../../memory/procedures/executions/record.ts';
import { withRateChange } from '../../memory/procedures/refine/apply-refinements.ts';
import type { RunState } from '../../memory/procedures/workflow/state.ts';
import type { CommitResult } from '../../workspace/door/request.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';

/**
 * Writes down a run that is over and counts it in its procedure, as one change. Doing it again does nothing, so a crash
 * between this and the end of the run's journal costs nothing either.
 */
export async function recordRun(
  context: OperationContext,
  { executions, journal }: Workflows,
  state: RunState,
): Promise<CommitResult> {
  const record = makeRecord(state);
  let isNew = true;
  const added = executions.planRecord(record, (answer) => {
    isNew = answer;
  });
  const count = (current: string | undefined): string | undefined =>
    current === undefined || !isNew ? current : countInFile(executions.readAll().records, current, record);
  const result = await context.workspace.commit({
    actor: context.actor,
    approval: roleOf(context.actor) === 'human' ? '—' : 'auto',
    trigger: `procedure ${state.run}`,
    summary: `${record.status} ${record.name}`,
    changes: [added, { path: record.path, edit: count }],
  });
  await journal.remove(state.run);
  return result;
}

function countInFile(records: readonly ExecutionRecord[], text: string, record: ExecutionRecord): string {
  const counted = countRun(text, record.path, record);
  const own = [...records.filter(({ path }) => path === record.path), record];
  return withRateChange(counted, record.path, (before, after) => rateChange(own, before, after));
}
