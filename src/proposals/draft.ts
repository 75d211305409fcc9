import type { Proposal } from './proposal.ts';
import type { ProposalRequest } from './request.ts';

/** What is only known when it is filed. */
interface Drafted extends Pick<Proposal, 'id' | 'base' | 'changes' | 'conflictsWith'> {
  readonly nowMs: number;
}

/** A request as the proposal it becomes. */
export function draftProposal(request: ProposalRequest, { nowMs, ...drafted }: Drafted): Proposal {
  const { kind, title, why, evidence, actor, trust, scope, confidence, expires, trigger, session, statement } = request;
  return {
    state: 'pending',
    kind,
    title,
    why,
    evidence,
    actor,
    trust,
    scope,
    confidence,
    expires,
    trigger,
    session,
    statement,
    created: new Date(nowMs).toISOString(),
    ...drafted,
  };
}
