import { MnemeError } from '../model/errors.ts';
import { makeDiff } from './diff-text.ts';
import { applyChange, makeChange, type Versions } from './patch.ts';
import type { ProposedChange } from './proposal.ts';
import type { ChangePreview } from './request.ts';

/** Previews the effect of the change on the present file. */
export function previewChange(change: ProposedChange, versions: Versions): ChangePreview {
  const { number, action, path, renameTo } = change;
  const shown = { number, action, path, ...(renameTo === undefined ? {} : { renameTo }) };
  const application = applyChange(change, versions);
  if (application.kind === 'stale') return { ...shown, fit: 'stale', reason: application.reason, diff: '' };
  const diff = makeDiff({ path, text: versions.current }, { path: renameTo ?? path, text: application.after });
  return { ...shown, fit: application.fit, diff };
}

/** The change made anew from the present file; what is in it already stays as it was proposed. */
export function rebaseChange(id: string, change: ProposedChange, versions: Versions): ProposedChange {
  const application = applyChange(change, versions);
  if (versions.current === undefined && change.action === 'edit' && change.path.includes('/graph/entities/')) {
    throw new MnemeError('conflict', `Proposal ${id} cannot be rebased: ${change.path} was renamed or removed.`, {
      hint: 'Reject it and propose it again for the entity under its present name.',
    });
  }
  const outcome = application.kind === 'fits' ? application : application.offer;
  if (outcome === undefined) {
    const reason = application.kind === 'stale' ? application.reason : '';
    throw new MnemeError('conflict', `Proposal ${id} cannot be rebased: ${reason}.`, {
      hint: 'Edit its diff by hand, or reject it and propose it again.',
    });
  }
  if (outcome.after === versions.current && change.renameTo === undefined) return change;
  const { path, renameTo } = change;
  return makeChange(change.number, { path, before: versions.current, after: outcome.after, renameTo });
}
