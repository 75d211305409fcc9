import { nodeFileSystem } from '../../platform/fs.ts';
import { NOTHING_PENDING, PENDING_REFLECTION, renderPending } from '../../maintain/reflect/form.ts';
import { outcomeOf, REFLECTION_LOG, updateReflectionLog } from '../../maintain/reflect/log.ts';
import type { Change } from '../../workspace/door/request.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { reflectionsOf } from './find.ts';

/**
 * Brings the log and the view of what waits in step with the proposals, which are the truth. A process that dies right
 * after a decision leaves this to the next one.
 */
export async function settleReflections(context: OperationContext): Promise<void> {
  const reflections = reflectionsOf(context);
  if (reflections.length === 0) return;
  const told = reflections.filter(
    (proposal) => outcomeOf(proposal) !== 'waiting' && outcomeOf(proposal) !== 'withdrawn',
  );
  const log = readFile(context, REFLECTION_LOG);
  const waiting = reflections.findLast(({ state }) => isOpen(state));
  const pending = waiting === undefined ? NOTHING_PENDING : renderPending(waiting);
  const changes: Change[] = [];
  if (told.length > 0 && updateReflectionLog(log, told) !== log) {
    changes.push({ path: REFLECTION_LOG, edit: (current) => updateReflectionLog(current, told) });
  }
  if (readFile(context, PENDING_REFLECTION) !== pending)
    changes.push({ path: PENDING_REFLECTION, edit: () => pending });
  if (changes.length === 0) return;
  await context.workspace.commit({
    actor: 'system:reflection',
    approval: 'auto',
    trigger: 'reflect',
    summary: waiting === undefined ? 'reflection log' : `reflection #${waiting.session ?? ''} waits`,
    changes,
  });
}

function readFile({ workspace }: OperationContext, file: string): string | undefined {
  return nodeFileSystem.read(`${workspace.root}/${file}`)?.toString('utf8');
}
