import type { Change, CommitRequest, EditFunction } from '../workspace/door/request.ts';
import { MnemeError } from '../model/errors.ts';
import { parseDocument } from '../workspace/markdown/document.ts';
import type { ProposalFolder, ProposalFile } from './folder.ts';
import { parseProposal } from './parse.ts';
import { withEditedBody, withHeader } from './render.ts';
import { isOpen } from './state.ts';

/** The proposal with the body of a copy that somebody edited. */
export function editedFile(file: ProposalFile, edited: string): ProposalFile {
  const { id } = file.proposal;
  const named = parseDocument(edited).frontmatter?.values?.['id'];
  if (named !== undefined && named !== id) {
    throw new MnemeError('usage', `The edited text is not that of proposal ${id}.`);
  }
  return fileWith(file, withEditedBody(file.text, edited));
}

/** The proposal with another text of its file. */
export function fileWith(file: ProposalFile, text: string): ProposalFile {
  const { id, scope } = file.proposal;
  const { proposal } = parseProposal(text, id);
  if (proposal === undefined) throw new MnemeError('usage', `The edited text is no longer proposal ${id}.`);
  return { ...file, text, proposal: { ...proposal, scope } };
}

/** Replaces the file, unless it is another by now than when it was read. */
export function replaceFile({ path, text, proposal }: ProposalFile, after: string): Change {
  const edit = (current: string | undefined): string => {
    if (current !== text) throw overtakenError(proposal.id, current);
    return after;
  };
  return { path, edit };
}

/** Adds `other` to what a proposal conflicts with: one that waits, or one that was agreed to in the same moment. */
function markConflict(id: string, other: string): EditFunction {
  return (current) => {
    if (current === undefined) return undefined;
    const { proposal } = parseProposal(current, id);
    if (proposal === undefined || proposal.conflictsWith.includes(other)) return current;
    if (!isOpen(proposal.state) && proposal.state !== 'applied') return current;
    return withHeader(current, { conflictsWith: [...proposal.conflictsWith, other] });
  };
}

/** Why a decision cannot stand on what was read: the proposal's file is another by now. */
export function overtakenError(id: string, current: string | undefined): MnemeError {
  const proposal = current === undefined ? undefined : parseProposal(current, id).proposal;
  const isDecided = proposal !== undefined && !isOpen(proposal.state);
  const what = isDecided
    ? `was ${proposal.state} by ${proposal.decidedBy ?? 'somebody else'} meanwhile`
    : `was ${current === undefined ? 'removed' : 'changed'} meanwhile`;
  return new MnemeError('conflict', `Proposal ${id} ${what}.`, { hint: 'Look at it again before deciding.' });
}

/** The memory is another by now than the one it was made for. */
export function staleError(id: string, reason: string): MnemeError {
  return new MnemeError('conflict', `Proposal ${id} no longer fits: ${reason}.`, {
    hint: `\`mneme proposals rebase ${id}\` makes it anew from the present files.`,
  });
}

/** Two files that were weighed against each other are others by now. */
export function movedOnError(id: string): MnemeError {
  return new MnemeError('refused', `Proposal ${id} merges two files that have changed since.`, {
    hint: 'Reject it and propose it again: `mneme graph merge FROM INTO` takes the files as they are now.',
  });
}

/** Each of `others` learns that it conflicts with `id`. */
export function conflictEdits(folder: ProposalFolder, id: string, others: readonly string[]): Change[] {
  return others.map((other) => ({ path: folder.get(other).path, edit: markConflict(other, id) }));
}

export interface ConflictMarks {
  /** undefined when everything is marked already. */
  readonly request: CommitRequest | undefined;
  readonly added: readonly string[];
}

/** Marks the conflict of `id` and `others` on both sides. Declined proposals are left out. */
export function planConflictMarks(folder: ProposalFolder, id: string, others: readonly string[]): ConflictMarks {
  const { proposal } = folder.get(id);
  const added = [...new Set(others)].filter((other) => {
    const isNew = other !== id && !proposal.conflictsWith.includes(other);
    return isNew && !['rejected', 'withdrawn'].includes(folder.get(other).proposal.state);
  });
  if (added.length === 0) return { request: undefined, added };
  const request = {
    actor: proposal.actor,
    action: 'PROPOSE',
    approval: 'pending',
    trigger: `proposal ${id}`,
    summary: `conflict of proposal ${id} with ${added.join(', ')}`,
    changes: [...added.flatMap((other) => conflictEdits(folder, other, [id])), ...conflictEdits(folder, id, added)],
  } as const;
  return { request, added };
}
