import { MnemeError } from '../model/errors.ts';
import type { Actor } from '../model/mutation.ts';
import type { Change } from '../workspace/door/request.ts';
import { fileWith } from './file-edits.ts';
import type { ProposalFile } from './folder.ts';
import { applyChange, type Fit, type Versions } from './patch.ts';
import { assertMayWithdraw } from './policy.ts';
import { waitingChanges, type Proposal, type ProposedChange } from './proposal.ts';
import { withHeader } from './render.ts';
import { nextState } from './state.ts';

/** Thrown under the write lock when a change no longer fits; nothing of the group is then written. */
export class StaleChange extends Error {}

/** The waiting changes that are meant: all, or those of the given numbers. */
export function chooseChanges(proposal: Proposal, only: readonly number[] | undefined): ProposedChange[] {
  const waiting = waitingChanges(proposal);
  const numbers = waiting.map((change) => change.number);
  const wanted = only ?? numbers;
  const unknown = wanted.filter((number) => !numbers.includes(number));
  if (wanted.length > 0 && unknown.length === 0) return waiting.filter((change) => wanted.includes(change.number));
  const problem = unknown.length === 0 ? 'No change is chosen' : `No change ${unknown.join(', ')} is waiting`;
  throw new MnemeError('usage', `${problem} in proposal ${proposal.id}.`, {
    hint: numbers.length === 0 ? 'Reject it or withdraw it.' : `These are waiting: ${numbers.join(', ')}.`,
  });
}

/** The actor, time and reason of a decision, as the header keeps them. */
export interface Stamp {
  readonly decided: string;
  readonly decidedBy: Actor;
  /** null where an earlier step's reason no longer applies. */
  readonly reason: string | null;
}

export interface Verdict extends Stamp {
  /** Whether the changes that were not chosen are rejected; they wait otherwise. */
  readonly rejectsRest: boolean;
}

export interface ApprovedFile {
  readonly text: string;
  readonly state: Proposal['state'];
}

/** The proposal's own file once the chosen changes are applied. */
export function markApplied(
  text: string,
  proposal: Proposal,
  chosen: readonly ProposedChange[],
  verdict: Verdict,
): ApprovedFile {
  const changes = proposal.changes.map((change): ProposedChange => {
    if (chosen.includes(change)) return { ...change, state: 'applied' };
    return change.state === 'waiting' && verdict.rejectsRest ? { ...change, state: 'rejected' } : change;
  });
  const isPart = changes.some((change) => change.state === 'waiting');
  const approved = nextState(proposal.state, 'approve', proposal.id);
  const state = nextState(approved, isPart ? 'apply-part' : 'apply', proposal.id);
  const { decided, decidedBy, reason } = verdict;
  const files = proposal.statement === undefined ? changes : undefined;
  return { text: withHeader(text, { state, changes: files, decided, decidedBy, reason }), state };
}

/** The proposal's own file once these changes are declined; undefined when that declines all that waits. */
export function declinePart(
  { proposal, text }: Pick<ProposalFile, 'proposal' | 'text'>,
  only: readonly number[] | undefined,
): string | undefined {
  if (only === undefined) return undefined;
  const declined = chooseChanges(proposal, only);
  if (declined.length === waitingChanges(proposal).length) return undefined;
  const changes = proposal.changes.map((change): ProposedChange => {
    return declined.includes(change) ? { ...change, state: 'rejected' } : change;
  });
  return withHeader(text, { changes });
}

/** An open proposal, and what it is once a newer one takes its place. */
export function makeWay(
  before: ProposalFile,
  actor: Actor,
  stamp: Stamp,
): { before: ProposalFile; after: ProposalFile } {
  const { proposal, text } = before;
  assertMayWithdraw(proposal, actor);
  const state = nextState(proposal.state, 'withdraw', proposal.id);
  return { before, after: fileWith(before, withHeader(text, { state, ...stamp })) };
}

/** The write path's edits that apply a change to whatever the file is when the lock is held; `fits` learns how it went. */
export function applyingEdits(
  change: ProposedChange,
  base: string | undefined,
  fits: Map<number, Fit>,
  isExactOnly = false,
): Change[] {
  const apply = (versions: Versions): string | undefined => {
    const application = applyChange(change, versions);
    if (application.kind === 'stale') throw new StaleChange(application.reason);
    if (isExactOnly && (application.fit === 'merged' || application.fit === 'guessed')) {
      throw new StaleChange(`${change.path} was changed since it was proposed`);
    }
    fits.set(change.number, application.fit);
    return application.after;
  };
  const { path, renameTo } = change;
  if (renameTo === undefined) return [{ path, edit: (current) => apply({ base, current }) }];
  let moved: string | undefined;
  return [
    {
      path,
      edit: (current) => {
        moved = apply({ base, current });
        return undefined;
      },
    },
    {
      path: renameTo,
      edit: (destination) => {
        if (destination !== undefined) throw new StaleChange(`${renameTo} exists by now`);
        return moved;
      },
    },
  ];
}

/** Notes for the approver about changes that did not apply exactly as written. */
export function describeFits(changes: readonly ProposedChange[], fits: ReadonlyMap<number, Fit>): string[] {
  return changes.flatMap((change, at) => {
    const fit = fits.get(change.number) ?? 'exact';
    // Lines of one file that are applied together are merged with each other, which nobody needs to hear.
    const isBeside = fit === 'merged' && changes.slice(0, at).some(({ path }) => path === change.path);
    const note = isBeside ? undefined : FIT_NOTES[fit];
    return note === undefined ? [] : [`Change ${change.number} (${change.path}) ${note}.`];
  });
}

const FIT_NOTES: Readonly<Record<Fit, string | undefined>> = {
  exact: undefined,
  merged: 'was merged with later edits of the file',
  guessed: 'was fitted to the present text, because the diff does not fit the version it was made from',
  'done-already': 'was in the file already',
};
