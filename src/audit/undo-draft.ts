import path from 'node:path';
import { isMnemeError } from '../model/errors.ts';
import { nodeFileSystem } from '../platform/fs.ts';
import { makeDiff } from '../proposals/diff-text.ts';
import type { Change } from '../workspace/door/request.ts';
import { isGenerated } from '../workspace/formats/layout.ts';
import { blobId } from '../workspace/known-files.ts';
import { logEntries } from '../workspace/git/history.ts';
import { filesAt } from '../workspace/git/objects.ts';
import { parseDocument, serializeHead } from '../workspace/markdown/document.ts';
import { undoChange, type ConflictKind, type MergeConflict } from '../workspace/markdown/merge.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { parseWorkspacePath } from '../workspace/safety/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { AUDIT_ARCHIVE } from './retention.ts';

/** A part of what was asked that stays as it is. */
export interface SkippedUndo {
  readonly path: string;
  /** The frontmatter key or the beginning of the block; undefined for the whole file. */
  readonly block: string | undefined;
  readonly reason: string;
}

export interface UndoPreview {
  readonly path: string;
  /** Unified; a sentence for a binary file. */
  readonly diff: string;
}

export interface DraftedUndo {
  readonly changes: readonly Change[];
  readonly skipped: readonly SkippedUndo[];
  readonly preview: readonly UndoPreview[];
  readonly touches: readonly string[];
}

/** The changes of one commit to one file. */
export interface UndoStep {
  readonly path: string;
  /** The former path, for a rename. */
  readonly from?: string | undefined;
  readonly before: Buffer | undefined;
  readonly after: Buffer | undefined;
  readonly commit: string;
}

interface DraftFile {
  readonly onDisk: Buffer | undefined;
  readonly content: Buffer | undefined;
}

interface Skip {
  readonly path: string;
  readonly block?: string | undefined;
  readonly reason: string;
  /** Set where something that came after this commit is in the way. */
  readonly since?: string | undefined;
}

/** The files as they will be; steps taken back one after the other build on each other. */
export class UndoDraft {
  readonly #workspace: Workspace;
  /** Blob ids by path at the tip of history. */
  readonly #recorded: ReadonlyMap<string, string>;
  readonly #files = new Map<string, DraftFile>();
  readonly #skips: Skip[] = [];

  private constructor(workspace: Workspace, recorded: ReadonlyMap<string, string>) {
    this.#workspace = workspace;
    this.#recorded = recorded;
  }

  /** With everything that is on disk in history, so that nothing undone is lost. */
  static async open(workspace: Workspace): Promise<UndoDraft> {
    await workspace.scan();
    await workspace.drain();
    const files = await filesAt(workspace.git.workspace, 'HEAD');
    return new UndoDraft(workspace, new Map(files.map((file) => [file.path, file.blob])));
  }

  /** Takes one commit's change of one file back and keeps what came later. */
  reverse(step: UndoStep): void {
    if (step.from !== undefined) this.#reverseRename(step, step.from);
    else if (this.#mayChange(step.path)) this.#reverseContent(step);
  }

  /** Makes a file what it was, whatever came later. */
  restore(file: string, content: Buffer | undefined): void {
    if (!isSame(this.current(file), content) && this.#mayChange(file)) this.#set(file, content);
  }

  current(file: string): Buffer | undefined {
    return this.#load(file).content;
  }

  async finish(): Promise<DraftedUndo> {
    const changed = [...this.#files].filter(([, file]) => !isSame(file.onDisk, file.content));
    const skipped: SkippedUndo[] = [];
    for (const skip of this.#skips) skipped.push(await this.#explain(skip));
    return {
      changes: changed.map(([file, { onDisk, content }]) => ({
        path: file,
        content: asText(content) ?? content,
        base: asText(onDisk) ?? onDisk,
      })),
      skipped,
      preview: changed.map(([file, { onDisk, content }]) => ({ path: file, diff: previewOf(file, onDisk, content) })),
      touches: changed.map(([file]) => file),
    };
  }

  #reverseContent(step: UndoStep): void {
    const { path: file, before, after, commit } = step;
    const current = this.current(file);
    if (isSame(current, before)) return;
    if (isSame(current, after)) this.#set(file, before);
    else if (current === undefined) this.#skip(file, 'the file has been deleted since', commit);
    else if (after === undefined) this.#skip(file, 'the file exists again, with another content', commit);
    else this.#set(file, this.#reverseBlocks(step, current, after));
  }

  #reverseRename(step: UndoStep, from: string): void {
    const { path: to, commit, after } = step;
    const current = this.current(to);
    if (!this.#mayChange(from) || !this.#mayChange(to)) return;
    if (current === undefined) {
      if (!isSame(this.current(from), step.before)) this.#skip(to, 'the file has been deleted or moved since', commit);
    } else if (this.current(from) !== undefined) {
      this.#skip(from, `the file exists again, so ${to} stays where it is`, commit);
    } else {
      const content =
        after === undefined || isSame(current, after) ? step.before : this.#reverseBlocks(step, current, after);
      this.#set(from, content);
      this.#set(to, undefined);
    }
  }

  /** Both later changes and this one touched the file: block by block, and only where Markdown has blocks. */
  #reverseBlocks(step: UndoStep, current: Buffer, after: Buffer): Buffer {
    const { path: file, commit } = step;
    const [afterText, currentText] = [asText(after), asText(current)];
    const beforeText = step.before === undefined ? frameOf(afterText ?? '') : asText(step.before);
    const isMarkdown = /\.(?:md|markdown)$/i.test(file);
    if (!isMarkdown || beforeText === undefined || afterText === undefined || currentText === undefined) {
      this.#skip(file, 'the file changed again since and has no blocks to tell apart', commit);
      return current;
    }
    const { text, conflicts } = undoChange({ before: beforeText, after: afterText, current: currentText });
    for (const conflict of conflicts) {
      this.#skips.push({ path: file, block: nameOf(conflict), reason: CONFLICT_REASON[conflict.kind], since: commit });
    }
    return Buffer.from(text, 'utf8');
  }

  #mayChange(file: string): boolean {
    // Generated files follow the files they are made from.
    if (isGenerated(file)) return false;
    const obstacle = this.#findObstacle(file);
    if (obstacle !== undefined) this.#skip(file, obstacle);
    return obstacle === undefined;
  }

  #findObstacle(file: string): string | undefined {
    if (file === AUDIT_ARCHIVE) return 'the digests are all that is left of the months they tell of';
    const { onDisk } = this.#load(file);
    if (onDisk !== undefined && blobId(onDisk) !== this.#recorded.get(file)) {
      return 'its present content is not in history and would be lost';
    }
    return findPathObjection(file);
  }

  #load(file: string): DraftFile {
    const known = this.#files.get(file);
    if (known !== undefined) return known;
    const onDisk = nodeFileSystem.read(path.join(this.#workspace.root, file));
    const loaded = { onDisk, content: onDisk };
    this.#files.set(file, loaded);
    return loaded;
  }

  #set(file: string, content: Buffer | undefined): void {
    this.#files.set(file, { ...this.#load(file), content });
  }

  #skip(file: string, reason: string, since?: string): void {
    this.#skips.push({ path: file, reason, since });
  }

  /** Names the change that is in the way, so that the reader can undo that one first. */
  async #explain({ path: file, block, reason, since }: Skip): Promise<SkippedUndo> {
    if (since === undefined) return { path: file, block, reason };
    const [later] = await logEntries(this.#workspace.git.workspace, {
      path: file,
      revision: `${since}..HEAD`,
      limit: 1,
    });
    const by = later === undefined ? '' : ` (last by ${later.actor}, ${later.mutations.at(-1) ?? later.commit})`;
    return { path: file, block, reason: `${reason}${by}` };
  }
}

/** In an undo "ours" is the earlier text and "theirs" the present one. */
const CONFLICT_REASON: Readonly<Record<ConflictKind, string>> = {
  'both-edited': 'it changed again since',
  'both-added': 'something else stands in its place',
  'ours-deleted': 'it was changed or built on since it was added',
  'theirs-deleted': 'it has been deleted since',
};

function nameOf(conflict: MergeConflict): string {
  if (conflict.key !== undefined) return conflict.key;
  const text = conflict.theirs ?? conflict.base ?? conflict.ours ?? '';
  return text.trim().split('\n', 1)[0] ?? '';
}

/** A created file that others have written into since keeps its head and title: without them it would be no file of its kind. */
function frameOf(text: string): string {
  const doc = parseDocument(text);
  const first = doc.blocks.findIndex((block) => block.kind !== 'blank');
  const title = doc.blocks[first];
  const isTitle = title?.kind === 'heading' && title.level === 1;
  const frame = doc.blocks.slice(0, isTitle ? first + 1 : Math.max(first, 0));
  return serializeHead(doc) + frame.map((block) => block.raw).join('');
}

function findPathObjection(file: string): string | undefined {
  try {
    return parseWorkspacePath(file) === file ? undefined : 'its name is not in the form Mneme writes';
  } catch (error) {
    if (isMnemeError(error)) return error.message;
    throw error;
  }
}

function previewOf(file: string, before: Buffer | undefined, after: Buffer | undefined): string {
  const [old, fresh] = [asText(before), asText(after)];
  const isBinary = (before !== undefined && old === undefined) || (after !== undefined && fresh === undefined);
  return isBinary ? `${file} is binary.` : makeDiff({ path: file, text: old }, { path: file, text: fresh });
}

function asText(bytes: Buffer | undefined): string | undefined {
  const decoded = bytes === undefined ? undefined : decodeText(bytes);
  return decoded?.kind === 'text' ? decoded.text : undefined;
}

function isSame(a: Buffer | undefined, b: Buffer | undefined): boolean {
  return a === undefined || b === undefined ? a === b : a.equals(b);
}
