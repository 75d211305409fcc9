import { newItemId } from '../../model/ids.ts';
import { shorten } from '../../model/text.ts';
import { kindOfPath } from '../../workspace/formats/layout.ts';
import type { FileConflict, MergeText } from '../../workspace/git/merge-trees.ts';
import type { MergeConflict } from '../../workspace/markdown/merge.ts';
import { mergeTexts } from '../../workspace/merge-text.ts';
import type { OperationContext } from '../context.ts';

/** Creates the rule that merges two versions of a file, whether they come from a branch or from another machine. */
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
  /** The number of places, for `text`. */
  readonly places: number;
  /** The text of each side in those places; null where it has none. */
  readonly blocks: readonly { readonly here: string | null; readonly there: string | null }[];
  /** The command that shows the other side's whole text; null when it is nowhere else. */
  readonly other: string | null;
}

/** `theirs`: the commit that has the other version, and where. */
export function describeConflict(
  { path, kind, details }: FileConflict,
  theirs?: { readonly gitDir: string; readonly commit: string },
): KeptConflict {
  const blocks = (details as readonly MergeConflict[]).map((conflict) => ({
    here: shown(conflict.ours),
    there: shown(conflict.theirs),
  }));
  const other = theirs === undefined ? null : showCommand(theirs.gitDir, theirs.commit, path);
  return { path, kind, places: details.length, blocks: kind === 'text' ? blocks : [], other };
}

/** For a shell, whatever the path is called. */
export function showCommand(gitDir: string, commit: string, path: string): string {
  const quoted = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `git --git-dir ${quoted(gitDir)} show ${quoted(`${commit.slice(0, 12)}:${path}`)}`;
}

function shown(text: string | undefined): string | null {
  return text === undefined ? null : shorten(text.trim());
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
