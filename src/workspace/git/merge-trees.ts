import { MnemeError } from '../../model/errors.ts';
import type { Git } from './git.ts';
import { changesBetween, filesAt, isRegularFile, readBlobs, type BlobEntry, type TreeChange } from './objects.ts';

export interface TextVersions {
  readonly path: string;
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** Merges two versions of a document and keeps both where they contradict each other. */
export type MergeText = (versions: TextVersions) => { readonly text: string; readonly conflicts: readonly unknown[] };

/** Three commits or trees. */
export interface MergeSides {
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/**
 * A disagreement of the two sides. `edited-and-deleted` keeps the edited file, `not-text` keeps ours; both versions
 * stay in the history either way.
 */
export type ConflictKind = 'text' | 'edited-and-deleted' | 'not-text';

export interface FileConflict {
  readonly path: string;
  readonly kind: ConflictKind;
  /** The report of the text merge, for `text`. */
  readonly details: readonly unknown[];
  readonly ours: BlobEntry | undefined;
  readonly theirs: BlobEntry | undefined;
}

/** A file as it must become; everything not listed stays as it is on our side. */
export interface MergedFile {
  readonly path: string;
  readonly mode: string;
  /** undefined when the file goes. */
  readonly content: Buffer | undefined;
  /** The blob that holds `content`, when git has it already. */
  readonly blob: string | undefined;
}

export interface TreeMerge {
  readonly files: readonly MergedFile[];
  readonly conflicts: readonly FileConflict[];
}

/** Brings to our side what the other changed since the base, file by file and, within texts, block by block. */
export async function mergeTrees(git: Git, sides: MergeSides, merge: MergeText): Promise<TreeMerge> {
  const ourChanges = new Map(
    (await changesBetween(git, sides.base, sides.ours)).map((change) => [change.path, change]),
  );
  const pairs = (await changesBetween(git, sides.base, sides.theirs))
    .map((theirs) => ({ theirs, ours: ourChanges.get(theirs.path) }))
    .filter(({ theirs, ours }) => ours === undefined || !isSameEntry(ours.after, theirs.after));
  const contents = await readBlobs(
    git,
    pairs.flatMap(({ theirs, ours }) => blobsNeeded(theirs, ours)),
  );
  const files: MergedFile[] = [];
  const conflicts: FileConflict[] = [];
  for (const { theirs, ours } of pairs) {
    const outcome = ours === undefined ? { file: fileOf(theirs, contents) } : mergeFile(ours, theirs, contents, merge);
    if (outcome.file !== undefined) files.push(outcome.file);
    if (outcome.conflict !== undefined) conflicts.push(outcome.conflict);
  }
  await assertNoFolderClash(git, sides.ours, files);
  return { files, conflicts };
}

function isSameEntry(one: BlobEntry | undefined, other: BlobEntry | undefined): boolean {
  return one?.blob === other?.blob && one?.mode === other?.mode;
}

function blobsNeeded(theirs: TreeChange, ours: TreeChange | undefined): string[] {
  const entries = ours === undefined ? [theirs.after] : [theirs.before, theirs.after, ours.after];
  return entries
    .filter((entry) => entry !== undefined && entry.mode !== SUBMODULE_MODE)
    .map((entry) => entry?.blob ?? '');
}

/** Another repository inside the folder; its "blob" is a commit that is not ours to read. */
const SUBMODULE_MODE = '160000';

function fileOf({ path, after }: TreeChange, contents: ReadonlyMap<string, Buffer>): MergedFile | undefined {
  if (after?.mode === SUBMODULE_MODE) return undefined;
  const content = after === undefined ? undefined : contents.get(after.blob);
  return { path, mode: after?.mode ?? '0', content, blob: after?.blob };
}

interface Outcome {
  readonly file?: MergedFile | undefined;
  readonly conflict?: FileConflict | undefined;
}

function mergeFile(
  ours: TreeChange,
  theirs: TreeChange,
  contents: ReadonlyMap<string, Buffer>,
  merge: MergeText,
): Outcome {
  const { path } = theirs;
  const conflict = (kind: ConflictKind, details: readonly unknown[] = []): FileConflict => ({
    path,
    kind,
    details,
    ours: ours.after,
    theirs: theirs.after,
  });
  if (theirs.after === undefined) return { conflict: conflict('edited-and-deleted') };
  if (ours.after === undefined) return { file: fileOf(theirs, contents), conflict: conflict('edited-and-deleted') };
  const versions = textVersions(path, ours, theirs, contents);
  if (versions === undefined) return { conflict: conflict('not-text') };
  const { text, conflicts } = merge(versions);
  return {
    file: { path, mode: ours.after.mode, content: Buffer.from(text, 'utf8'), blob: undefined },
    conflict: conflicts.length === 0 ? undefined : conflict('text', conflicts),
  };
}

function textVersions(
  path: string,
  ours: TreeChange,
  theirs: TreeChange,
  contents: ReadonlyMap<string, Buffer>,
): TextVersions | undefined {
  const read = (entry: BlobEntry | undefined): string | undefined => {
    if (entry === undefined) return '';
    const bytes = isRegularFile(entry) ? contents.get(entry.blob) : undefined;
    return bytes === undefined ? undefined : decodeText(bytes);
  };
  const [base, our, their] = [read(theirs.before), read(ours.after), read(theirs.after)];
  if (base === undefined || our === undefined || their === undefined) return undefined;
  return { path, base, ours: our, theirs: their };
}

/** The text whose bytes are exactly these; undefined when there is none. */
function decodeText(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined;
  const text = bytes.toString('utf8');
  return Buffer.from(text, 'utf8').equals(bytes) ? text : undefined;
}

/** git would quietly drop a file whose name is a folder's on the other side. */
async function assertNoFolderClash(git: Git, ours: string, files: readonly MergedFile[]): Promise<void> {
  const present = new Set((await filesAt(git, ours)).map((file) => file.path));
  for (const file of files) {
    if (file.content === undefined) present.delete(file.path);
    else present.add(file.path);
  }
  for (const path of present) {
    const folder = foldersOf(path).find((candidate) => present.has(candidate));
    if (folder === undefined) continue;
    throw new MnemeError('conflict', `${folder} is a file on one side and a folder (of ${path}) on the other.`, {
      hint: 'Rename one of them and try again.',
    });
  }
}

export function foldersOf(path: string): string[] {
  const parts = path.split('/');
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
}
