import { NOTHING_PENDING, PENDING_REFLECTION, renderPending } from '../../maintain/reflect/form.ts';
import { outcomeOf, REFLECTION_KIND, REFLECTION_LOG, updateReflectionLog } from '../../maintain/reflect/log.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { type Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import type { EditFunction } from '../../workspace/door/request.ts';
import type { OperationContext } from '../context.ts';
import { reflectionsOf } from './find.ts';

interface PageChange {
  readonly path: string;
  readonly edit: EditFunction;
}

/**
 * Plans the log of reflections and the page that shows the pending one. The proposals are the truth: they are read again under
 * the write lock, with those of `after` as they are about to become.
 */
export function planReflectionPages(context: OperationContext, after: readonly Proposal[]): readonly PageChange[] {
  const read = (): readonly Proposal[] => {
    const all = new Map(reflectionsOf(context).map((proposal) => [proposal.id, proposal]));
    for (const proposal of after) if (proposal.kind === REFLECTION_KIND) all.set(proposal.id, proposal);
    return [...all.values()].sort((one, other) => (one.id < other.id ? -1 : 1));
  };
  const log: EditFunction = (current) => {
    const decided = read().filter((proposal) => !['waiting', 'withdrawn'].includes(outcomeOf(proposal)));
    return decided.length === 0 ? current : updateReflectionLog(current, decided);
  };
  const pending: EditFunction = () => {
    const waiting = read().findLast(({ state }) => isOpen(state));
    return waiting === undefined ? NOTHING_PENDING : renderPending(waiting);
  };
  return [
    { path: REFLECTION_LOG, edit: log },
    { path: PENDING_REFLECTION, edit: pending },
  ];
}

/** Repairs both pages where they are out of step, as after an erasure or a person's edit. */
export async function settleReflections(context: OperationContext): Promise<void> {
  if (reflectionsOf(context).length === 0) return;
  const changes = planReflectionPages(context, []).filter(({ path, edit }) => {
    const current = nodeFileSystem.read(`${context.workspace.root}/${path}`)?.toString('utf8');
    return edit(current) !== current;
  });
  if (changes.length === 0) return;
  await context.workspace.commit({
    actor: 'system:reflection',
    approval: 'auto',
    trigger: 'reflect',
    summary: 'pages of reflections',
    changes,
  });
}
