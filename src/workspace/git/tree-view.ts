import path from 'node:path';
import type { DoorContext } from '../door/context.ts';
import { readRegular } from '../door/regular-file.ts';
import type { FileChange, JournalRecord } from '../journal/record.ts';
import { mergeTexts } from '../merge-text.ts';
import { isOwnPlace } from '../safety/paths.ts';
import { decodeText } from '../safety/limits.ts';
import { blobId } from '../known-files.ts';
import type { Git } from './git.ts';

export interface TreeViewInput {
  readonly git: Git;
  readonly records: readonly JournalRecord[];
  readonly context: DoorContext;
  /** A content the journal still holds. */
  readonly findRecorded: (oid: string) => Buffer | undefined;
  /** Records journaled after these: a person's commit may have taken them along already. */
  readonly readLater: () => Iterable<JournalRecord>;
}

/** Where a path stands in the records of one import, counted by record. */
interface PathSpan {
  readonly firstBefore: string | null;
  /** The branch's version. */
  readonly present: string | null;
  /** The last record that leaves the path as the branch has it already. */
  heldUntil: number;
  last: number;
}

/**
 * The branch's files while records are laid on top. Where a person committed the same file meanwhile, the record's
 * change is merged onto their version instead of replacing it.
 */
export class TreeView {
  readonly #input: TreeViewInput;
  readonly #blobs: Map<string, string | null>;
  readonly #contents = new Map<string, Buffer>();
  readonly #spans = new Map<string, PathSpan>();

  private constructor(input: TreeViewInput, blobs: Map<string, string | null>) {
    this.#input = input;
    this.#blobs = blobs;
    for (const [position, record] of input.records.entries()) {
      for (const content of record.contents) if (content !== undefined) this.#contents.set(blobId(content), content);
      for (const change of record.files) this.#extendSpan(change, position);
    }
    if (this.#spans.values().some((span) => isForeign(span))) this.#holdLaterStates();
  }

  static async open(input: TreeViewInput, tip: string | undefined): Promise<TreeView> {
    const paths = [...new Set(input.records.flatMap((record) => record.files.map((file) => file.path)))];
    const blobs = new Map<string, string | null>();
    if (tip !== undefined && paths.length > 0) {
      const query = paths.map((file) => `${tip}:${file}\n`).join('');
      const format = '--batch-check=%(objecttype) %(objectname)';
      const answer = await input.git.text(['cat-file', format], { input: query });
      for (const [index, line] of answer.split('\n').entries()) {
        const file = paths[index];
        if (file !== undefined) blobs.set(file, /^blob ([0-9a-f]{40})$/.exec(line)?.[1] ?? null);
      }
    }
    return new TreeView(input, blobs);
  }

  /** Paths that a person's commit brought to a state of ours. */
  heldPaths(): string[] {
    return [...this.#spans].filter(([, span]) => span.heldUntil >= 0).map(([file]) => file);
  }

  /** The file's content after the record at `position`, or that the branch needs no change for it. */
  async advance(
    change: FileChange,
    recorded: Buffer | undefined,
    position: number,
  ): Promise<Buffer | undefined | 'unchanged'> {
    const span = this.#spans.get(change.path);
    if (span !== undefined && position <= span.heldUntil) return 'unchanged';
    const present = this.#blobs.get(change.path) ?? null;
    const content = change.offset === undefined ? recorded : await this.#grown(change, recorded);
    const after = content === undefined ? null : blobId(content);
    if (present === after) return 'unchanged';
    let next = content;
    const needsMerge = change.offset === undefined && present !== change.before && present !== null;
    if (needsMerge && content !== undefined && !(position === span?.last && this.#isOnDisk(change))) {
      next = await this.#mergeOnto(change.path, present, change.before, content);
    }
    const nextId = next === undefined ? null : blobId(next);
    if (next !== undefined && nextId !== null) this.#contents.set(nextId, next);
    this.#blobs.set(change.path, nextId);
    return nextId === present ? 'unchanged' : next;
  }

  #extendSpan(change: FileChange, position: number): void {
    if (change.offset !== undefined) return;
    const present = this.#blobs.get(change.path) ?? null;
    const span = this.#spans.get(change.path) ?? { firstBefore: change.before, present, heldUntil: -1, last: position };
    span.last = position;
    // A person's commit took a state of ours along: everything up to that state is in the branch.
    if (change.after === present && span.firstBefore !== present) span.heldUntil = position;
    this.#spans.set(change.path, span);
  }

  #holdLaterStates(): void {
    for (const record of this.#input.readLater()) {
      for (const change of record.files) {
        const span = this.#spans.get(change.path);
        if (span !== undefined && isForeign(span) && change.after === span.present) span.heldUntil = span.last;
      }
    }
  }

  /** Whether the file is what the record says: then it holds the person's work as well, and stands as it is. */
  #isOnDisk(change: FileChange): boolean {
    const bytes = this.#readFile(change.path);
    return bytes !== undefined && blobId(bytes) === change.after;
  }

  /** An append-only file as it was after this append. */
  async #grown({ path: file, offset = 0 }: FileChange, appended: Buffer = Buffer.alloc(0)): Promise<Buffer> {
    const end = offset + appended.length;
    const bytes = this.#readFile(file);
    if (bytes !== undefined && bytes.length >= end) return bytes.subarray(0, end);
    // Another program removed or cut the file; what was acknowledged still goes into history.
    const present = this.#blobs.get(file) ?? null;
    const earlier = present === null ? undefined : await this.#read(present);
    return Buffer.concat([(earlier ?? Buffer.alloc(0)).subarray(0, offset), appended]);
  }

  async #mergeOnto(file: string, present: string, before: string | null, ours: Buffer): Promise<Buffer> {
    const theirs = await this.#read(present);
    const base = before === null ? Buffer.alloc(0) : await this.#read(before);
    // A base that went with its segment: what is on disk counts, and the person's version stays in history.
    if (base === undefined || theirs === undefined) return ours;
    const [baseText, oursText, theirsText] = [base, ours, theirs].map(decodeText);
    if (baseText?.kind !== 'text' || oursText?.kind !== 'text' || theirsText?.kind !== 'text') return ours;
    const { text } = mergeTexts(file, { base: baseText.text, ours: oursText.text, theirs: theirsText.text });
    return Buffer.from(text, 'utf8');
  }

  async #read(oid: string): Promise<Buffer | undefined> {
    const known = this.#contents.get(oid) ?? this.#input.findRecorded(oid);
    if (known !== undefined) return known;
    const result = await this.#input.git.attempt(['cat-file', 'blob', oid]);
    return result.code === 0 ? result.stdout : undefined;
  }

  #readFile(file: string): Buffer | undefined {
    const { workTree } = this.#input.git.location;
    return isOwnPlace(workTree, file) ? readRegular(this.#input.context.fs, path.join(workTree, file)) : undefined;
  }
}

/** Whether the branch has something else than what the first record started from, or a later one made. */
function isForeign(span: PathSpan): boolean {
  return span.present !== null && span.present !== span.firstBefore && span.heldUntil === -1;
}
