import { newItemId } from '../../model/ids.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import type { FileConflict, MergeText } from '../../workspace/git/merge-trees.ts';
import type { MergeConflict } from '../../workspace/markdown/merge.ts';
import { mergeTexts } from '../../workspace/merge-text.ts';
import type { OperationContext } from '../context.ts';

/** How two versions of a file become one, whether they come from a branch or from another machine. */
export function createMergeRule(context: OperationContext): MergeText {
  const nextId = (): string => newItemId((length) => context.random.bytes(length));
  return ({ path, ...versions }) => {
    // Written anew from the files it is about; what both sides made of it is no news.
    if (kindOfPath(path, context.layout) === 'generated') return { text: versions.ours, conflicts: [] };
    return mergeTexts(path, versions, nextId);
  };
}

export interface KeptConflict {
  readonly path: string;
  /**
   * `text`: both versions stand in the file; `edited-and-deleted`: the edited file stayed; `not-text`: the version from
   * here stayed.
   */
  readonly kind: FileConflict['kind'];
  /** How many places, for `text`. */
  readonly places: number;
}

export function describeConflict({ path, kind, details }: FileConflict): KeptConflict {
  return { path, kind, places: details.length };
}

/** Hands what both sides changed to whoever settles conflicts (proposals). */
export async function reportConflicts(
  context: OperationContext,
  mutation: string,
  conflicts: readonly FileConflict[],
): Promise<void> {
  for (const { path, kind, details } of conflicts) {
    if (kind !== 'text') continue;
    // The details are what `createMergeRule` reported.
    const report = { mutation, path, conflicts: details as readonly MergeConflict[] };
    for (const handler of context.workspace.registries.conflictHandlers) await handler(report);
  }
}
