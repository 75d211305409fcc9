import type { Output } from '../../api/call.ts';

export type Proposal = Output<'proposals list'>['proposals'][number];

export const OPEN_STATES: ReadonlySet<string> = new Set(['pending', 'deferred', 'stale']);

/** Whether approving it needs a choice, because something that is known or still waits says otherwise. */
export function isContested(proposal: Proposal, all: readonly Proposal[]): boolean {
  return (
    proposal.actor.startsWith('subagent:') &&
    ((proposal.statement?.contradicts.length ?? 0) > 0 || rivalsOf(proposal, all).length > 0)
  );
}

/** The other proposals of which only one can be true. */
export function rivalsOf({ conflictsWith }: Proposal, all: readonly Proposal[]): readonly Proposal[] {
  return all.filter(({ id, state }) => conflictsWith.includes(id) && OPEN_STATES.has(state));
}
