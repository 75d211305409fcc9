import { roleOf } from '../../model/mutation.ts';
import { isScope } from '../../model/provenance.ts';
import {
  numberProposals,
  PENDING_MEMORIES,
  renderPendingMemories,
  type NumberedProposal,
} from '../../proposals/agents/pending-memories.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { visibleProposals } from './find.ts';

/** Sub-agents' proposals that wait for a decision, oldest first. */
export function numberedProposals(context: OperationContext): readonly NumberedProposal[] {
  const all = context.proposals.list().proposals;
  const waiting = visibleProposals(context, all).filter(isWaiting);
  return numberProposals(waiting, all);
}

export function isWaiting({ actor, state }: Proposal): boolean {
  return roleOf(actor) === 'subagent' && (state === 'pending' || state === 'deferred' || state === 'stale');
}

/** Brings the file that shows what waits in step with the proposals, which are the truth. Private ones are not in it. */
export async function settlePendingMemories(
  context: OperationContext,
  touched: readonly Pick<Proposal, 'actor'>[],
): Promise<void> {
  // A machine without the write lease must not write this shared page; the next decision updates it.
  if (context.workspace.obstacle !== undefined) return;
  if (!touched.some(({ actor }) => roleOf(actor) === 'subagent')) return;
  const all = context.proposals.list().proposals;
  const shared = all.filter(({ scope = 'shared' }) => !isScope(scope) || scope === 'shared');
  const text = renderPendingMemories(numberProposals(shared.filter(isWaiting), shared));
  const known = context.homeIndex.files.read({ source: 'workspace', path: PENDING_MEMORIES })?.text;
  const isEmpty = !shared.some(isWaiting);
  if (known === text || (known === undefined && isEmpty)) return;
  await context.workspace.commit({
    actor: 'system:agents',
    approval: 'auto',
    trigger: 'agents',
    summary: 'what sub-agents propose',
    changes: [{ path: PENDING_MEMORIES, edit: () => text }],
  });
}
