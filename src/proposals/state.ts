import { MnemeError } from '../model/errors.ts';
import type { ProposalState } from '../model/schemas/proposal.ts';

/** Events of a proposal. `apply-part` leaves the other changes waiting; `go-stale` says its base is overtaken. */
export const PROPOSAL_EVENTS = [
  'approve',
  'apply',
  'apply-part',
  'reject',
  'withdraw',
  'defer',
  'go-stale',
  'rebase',
] as const;
export type ProposalEvent = (typeof PROPOSAL_EVENTS)[number];

type Transitions = Partial<Record<ProposalEvent, ProposalState>>;

const CLOSE: Transitions = { reject: 'rejected', withdraw: 'withdrawn' };

const WAIT: Transitions = {
  ...CLOSE,
  approve: 'approved',
  defer: 'deferred',
  'go-stale': 'stale',
  rebase: 'pending',
};

const TRANSITIONS: Readonly<Record<ProposalState, Transitions>> = {
  pending: WAIT,
  deferred: WAIT,
  // Approving and applying are one mutation, so this state is on disk only when a hand wrote it: it then still needs
  // an approver of standing, and anything else may still happen to it.
  approved: { ...WAIT, apply: 'applied', 'apply-part': 'pending' },
  stale: { ...CLOSE, rebase: 'pending' },
  applied: {},
  rejected: {},
  withdrawn: {},
};

export function findNextState(state: ProposalState, event: ProposalEvent): ProposalState | undefined {
  return TRANSITIONS[state][event];
}

/** The state after `event`, or an error that says what can be done instead. */
export function nextState(state: ProposalState, event: ProposalEvent, id: string): ProposalState {
  const next = findNextState(state, event);
  if (next !== undefined) return next;
  throw new MnemeError('conflict', `Proposal ${id} is ${state}; it cannot ${EVENT_WORDS[event]}.`, {
    hint:
      state === 'stale'
        ? 'Rebase it onto the present files first, or reject it.'
        : 'A decided proposal stays as it is; make a new one.',
  });
}

const EVENT_WORDS: Readonly<Record<ProposalEvent, string>> = {
  approve: 'be approved',
  apply: 'be applied',
  'apply-part': 'be applied',
  reject: 'be rejected',
  withdraw: 'be withdrawn',
  defer: 'be deferred',
  'go-stale': 'go stale',
  rebase: 'be rebased',
};

/** Whether somebody can still decide on it. */
export function isOpen(state: ProposalState): boolean {
  return Object.keys(TRANSITIONS[state]).length > 0;
}
