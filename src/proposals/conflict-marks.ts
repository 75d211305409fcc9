import type { Change, CommitRequest } from '../workspace/door/request.ts';
import { markConflict } from './file-edits.ts';
import type { ProposalFolder } from './folder.ts';

/** Each of `others` learns that it conflicts with `id`. */
export function conflictEdits(folder: ProposalFolder, id: string, others: readonly string[]): Change[] {
  return others.map((other) => ({ path: folder.get(other).path, edit: markConflict(other, id) }));
}

export interface ConflictMarks {
  /** undefined when everything is marked already. */
  readonly request: CommitRequest | undefined;
  readonly added: readonly string[];
}

/** What says on both sides that `id` and `others` cannot stand together. Of what was declined nobody needs to know. */
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
