import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { type Scope, isScope, scopeCanSee } from '../../model/provenance.ts';
import {
  numberProposals,
  PENDING_MEMORIES,
  renderPendingMemories,
  type NumberedProposal,
} from '../../proposals/agents/pending-memories.ts';
import { type Proposal } from '../../proposals/proposal.ts';
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
