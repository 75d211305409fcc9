import { roleOf } from '../../model/mutation.ts';
import { numberProposals, type NumberedProposal } from '../../proposals/agents/pending-memories.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { visibleProposals } from './find.ts';

/** What waits for a decision about a sub-agent's word, oldest first. */
export function numberedProposals(context: OperationContext): readonly NumberedProposal[] {
  const all = context.proposals.list().proposals;
  const waiting = visibleProposals(context, all).filter(isWaiting);
  return numberProposals(waiting, all);
}

export function isWaiting({ actor, state }: Proposal): boolean {
  return roleOf(actor) === 'subagent' && (state === 'pending' || state === 'deferred' || state === 'stale');
}
