import { isScope, scopeCanSee, type Scope } from '../../model/provenance.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { visibleProposals } from './find.ts';

/** A proposal that waits and denies something known. */
export interface ContradictingProposal {
  readonly proposal: string;
  readonly actor: string;
  readonly text: string;
}

/** By the id of what is known: whatever waits and says otherwise, as far as whoever asks may see it in this scope. */
export function proposalsAgainst(
  context: OperationContext,
  scope: Scope,
): ReadonlyMap<string, readonly ContradictingProposal[]> {
  const against = new Map<string, ContradictingProposal[]>();
  for (const { id, actor, state, statement, scope: own = 'shared' } of visibleProposals(
    context,
    context.proposals.list().proposals,
  )) {
    if (statement === undefined || !isOpen(state) || !isScope(own) || !scopeCanSee(scope, own)) continue;
    for (const item of statement.contradicts) {
      const known = against.get(item) ?? [];
      against.set(item, [...known, { proposal: id, actor, text: statement.content }]);
    }
  }
  return against;
}
