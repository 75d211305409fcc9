import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { isScope } from '../../model/provenance.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { visibleTo } from '../visible-to.ts';

/** Those that whoever asks may see: of scopes open to them, and of sub-agents only their own. */
export function visibleProposals(context: OperationContext, proposals: readonly Proposal[]): readonly Proposal[] {
  const { seesHome } = visibleTo(context);
  return seesHome ? proposals : proposals.filter((proposal) => seesProposal(context, proposal));
}

function seesProposal(context: OperationContext, { scope = 'shared', actor }: Proposal): boolean {
  const { sees, seesHome } = visibleTo(context);
  if (seesHome) return true;
  const isOpenToThem = isScope(scope) && sees(scope);
  const role = roleOf(context.actor);
  // Whoever only proposes has no business with what others propose; a confined person or main agent reviews its scope.
  const isTheirs = role === 'human' || role === 'main' ? scope !== 'shared' : actor === context.actor;
  return isOpenToThem && isTheirs;
}

/** One that may be seen, by its id or the beginning of it; as if there were none otherwise. */
export function getVisibleProposal(context: OperationContext, id: string): Proposal {
  const proposal = context.proposals.get(id);
  if (seesProposal(context, proposal)) return proposal;
  throw new MnemeError('not-found', `There is no proposal ${id}.`, { hint: '`mneme proposals` lists them.' });
}
