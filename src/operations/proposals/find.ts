import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import { MnemeError } from '../../model/errors.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { seesProposal } from '../visible-to.ts';

/** Those that the requester may see. */
export function visibleProposals(context: OperationContext, proposals: readonly Proposal[]): readonly Proposal[] {
  return proposals.filter((proposal) => seesProposal(context, proposal));
}

/** As the requester may see it: without the proposals it contradicts that they may not. */
export function asSeen(context: OperationContext, proposal: Proposal): Proposal {
  const sees = (id: string): boolean => seesProposal(context, context.proposals.get(id));
  // Of the same scope somebody sees that another contradicts theirs; of others nothing.
  const isOwnScope = (id: string): boolean =>
    context.proposals.get(id).scope === proposal.scope && proposal.statement !== undefined;
  return { ...proposal, conflictsWith: proposal.conflictsWith.filter((id) => sees(id) || isOwnScope(id)) };
}

/** Every reflection that was ever proposed, oldest first. */
export function reflectionsOf({ proposals }: OperationContext): readonly Proposal[] {
  return proposals.list({ kind: REFLECTION_KIND }).proposals;
}

/**
 * One proposal by its id, the beginning of it, or `reflection` for the reflection that is pending. One that the requester
 * may not see is reported like one that does not exist.
 */
export function getVisibleProposal(context: OperationContext, id: string): Proposal {
  if (id.toLowerCase() === REFLECTION_KIND) {
    const pending = visibleProposals(context, reflectionsOf(context)).findLast(({ state }) => isOpen(state));
    if (pending !== undefined) return pending;
    throw new MnemeError('not-found', 'No reflection waits for a decision.', {
      hint: '`mneme learn reflect` makes one.',
    });
  }
  const proposal = context.proposals.get(id);
  if (seesProposal(context, proposal)) return proposal;
  throw new MnemeError('not-found', `There is no proposal ${id}.`, { hint: '`mneme proposals` lists them.' });
}
