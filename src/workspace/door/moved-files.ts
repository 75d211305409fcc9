import type { FileChange } from '../journal/record.ts';

/** One file's change that came from outside, with the bytes it has now. */
export interface ExternalEdit {
  readonly change: FileChange;
  readonly content: Buffer | undefined;
}

export interface SortedEdits {
  readonly deleted: readonly ExternalEdit[];
  /** Files that vanished under one name and appeared under another: first the old name, then the new one. */
  readonly moved: readonly (readonly [ExternalEdit, ExternalEdit])[];
  readonly created: readonly ExternalEdit[];
}

/** Finds the moves among files that came and went: a person's `mv` is one act, and one undo should take it back. */
export function sortEdits(edits: readonly ExternalEdit[]): SortedEdits {
  const deleted = edits.filter(({ change }) => change.after === null);
  const created = edits.filter(({ change }) => change.after !== null);
  if (haveOverlappingPaths(deleted, created)) return { deleted, moved: [], created };
  const vanished = Map.groupBy(deleted, ({ change }) => change.before);
  const moved = created.flatMap((to): [ExternalEdit, ExternalEdit][] => {
    const from = vanished.get(to.change.after)?.shift();
    return from === undefined ? [] : [[from, to]];
  });
  const isMoved = new Set(moved.flat());
  return {
    deleted: deleted.filter((edit) => !isMoved.has(edit)),
    moved,
    created: created.filter((edit) => !isMoved.has(edit)),
  };
}

/** A file became a folder, or a folder a file: then everything must be removed before anything is added. */
function haveOverlappingPaths(deleted: readonly ExternalEdit[], created: readonly ExternalEdit[]): boolean {
  const gone = new Set(deleted.map(({ change }) => change.path));
  const fresh = new Set(created.map(({ change }) => change.path));
  return (
    [...fresh].some((file) => foldersOf(file).some((folder) => gone.has(folder))) ||
    [...gone].some((file) => foldersOf(file).some((folder) => fresh.has(folder)))
  );
}

function foldersOf(file: string): string[] {
  const names = file.split('/').slice(0, -1);
  return names.map((_, index) => names.slice(0, index + 1).join('/'));
}
