import { NOTHING_PENDING, PENDING_REFLECTION, renderPending } from '../../maintain/reflect/form.ts';
import { outcomeOf, REFLECTION_LOG, updateReflectionLog } from '../../maintain/reflect/log.ts';
import type { Change } from '../../workspace/door/request.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { readText, reflectionsOf } from '../reflect/take-survey.ts';

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
  const log = readText(context, REFLECTION_LOG);
  const waiting = reflections.findLast(({ state }) => isOpen(state));
  const pending = waiting === undefined ? NOTHING_PENDING : renderPending(waiting);
  const changes: Change[] = [];
  if (told.length > 0 && updateReflectionLog(log, told) !== log) {
    changes.push({ path: REFLECTION_LOG, edit: (current) => updateReflectionLog(current, told) });
  }
  if (readText(context, PENDING_REFLECTION) !== pending)
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
