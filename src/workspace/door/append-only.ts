import { hash } from 'node:crypto';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { blobId } from '../known-files.ts';
import type { FileChange, JournalRecord } from '../journal/record.ts';
import { DELETED_MANIFEST, findUnpacked, isPackedName, packedName, parsePackedManifest, plainName } from '../packed.ts';
import { checkSize } from '../safety/limits.ts';
import { assertOwnPlace, isOwnPlace, parseWorkspacePath } from '../safety/paths.ts';
import type { Batch } from './batch.ts';
import type { DoorContext } from './context.ts';
import type { CommitRequest, CommitResult } from './request.ts';

/** Transcripts may be whole conversations of a day; the general limit is meant for notes. */
const MAX_APPEND_ONLY_BYTES = 256 * 1024 * 1024;

/**
 * The write path of the append-only repositories (raw, chain): a file is created once or grows at its end, and is never
 * merged, because nobody edits it. The end of a growing file is the sum of what the journal promised, not its size on
 * disk, so that a torn append is overwritten. A file goes in two ways only: the same bytes stand packed beside its place,
 * or an age somebody set has passed and the same request writes down its hash.
 */
export async function prepareAppendOnly(
  context: DoorContext,
  batch: Batch,
  request: CommitRequest & { readonly repository: 'raw' | 'chain' },
  sizes: Map<string, number>,
): Promise<Omit<CommitResult, 'indexError'>> {
  const root = context.paths.repositories[request.repository].workTree;
  const files: FileChange[] = [];
  const contents: (Buffer | undefined)[] = [];
  for (const change of request.changes) {
    const target = parseWorkspacePath(change.path);
    assertOwnPlace(root, target);
    const full = path.join(root, target);
    const size = sizes.get(full) ?? context.fs.stamp(full)?.size;
    if ('append' in change) {
      const bytes = Buffer.from(change.append);
      if (change.at !== undefined && change.at !== (size ?? 0)) {
        throw new MnemeError('conflict', `${request.repository}/${target} has grown since it was looked at.`, {
          hint: 'Try again.',
        });
      }
      files.push({ path: target, before: null, after: null, offset: size ?? 0 });
      contents.push(bytes);
      sizes.set(full, (size ?? 0) + bytes.length);
    } else if ('content' in change && change.content !== undefined) {
      if (size !== undefined) {
        throw new MnemeError('refused', `${request.repository}/${target} exists and is never rewritten.`, {
          hint: 'A continued session gets a part file of its own.',
        });
      }
      const bytes = Buffer.from(change.content);
      files.push({ path: target, before: null, after: blobId(bytes) });
      contents.push(bytes);
      sizes.set(full, bytes.length);
    } else if (isPacking(context, root, target, request) || isRetired(context, root, target, request)) {
      files.push({ path: target, before: null, after: null });
      contents.push(undefined);
      continue;
    } else {
      throw new MnemeError('refused', `${request.repository}/ only grows: ${target} cannot be edited or removed.`);
    }
    checkSize(target, sizes.get(full) ?? 0, MAX_APPEND_ONLY_BYTES);
  }
  const action = request.action ?? (files.some((file) => file.offset !== undefined) ? 'APPEND' : 'CREATE');
  const record = batch.addRecord({ ...request, action }, files, contents, request.repository);
  return { mutation: record.id, timeMs: record.timeMs, files: [], redactions: [], warnings: [] };
}

/** Whether a file is only taken away because the same request keeps it packed, to the byte. */
function isPacking(context: DoorContext, root: string, target: string, { changes }: CommitRequest): boolean {
  const packed = changes.find((change) => change.path === packedName(target));
  if (packed === undefined || !('content' in packed) || typeof packed.content !== 'object') return false;
  const bytes = context.fs.read(path.join(root, target));
  return bytes !== undefined && findUnpacked(packed.content)?.equals(bytes) === true;
}

/** Whether the words of a transcript that goes by age are vouched for by a line that is written with it. */
function isRetired(context: DoorContext, root: string, target: string, request: CommitRequest): boolean {
  const bytes = context.fs.read(path.join(root, target));
  const words = bytes === undefined || !isPackedName(target) ? bytes : findUnpacked(bytes);
  if (request.repository !== 'raw' || words === undefined) return false;
  const line = request.changes.find((change) => change.path === DELETED_MANIFEST && 'append' in change);
  if (line === undefined || !('append' in line)) return false;
  const told = parsePackedManifest(Buffer.from(line.append).toString('utf8')).get(plainName(target));
  return told?.sha256 === hash('sha256', words);
}

/** Puts a record's bytes into the files; doing it twice changes nothing. */
export function applyAppendOnly(context: DoorContext, record: JournalRecord): void {
  const root = context.paths.repositories[record.repository].workTree;
  for (const [index, change] of record.files.entries()) {
    const content = record.contents[index];
    const full = path.join(root, change.path);
    const stamp = context.fs.stamp(full);
    // A link or folder that was put in its place is left alone: what it leads to, or holds, is not ours to change.
    if (!isOwnPlace(root, change.path) || (stamp === undefined && context.fs.exists(full))) continue;
    if (content === undefined) {
      // Its packed form, or the line that keeps its hash, stands in the same record.
      const isDeleted = record.files.some((file) => file.path === DELETED_MANIFEST);
      if (isDeleted || context.fs.exists(packedName(full))) context.fs.remove(full);
      continue;
    }
    if (change.offset === undefined && context.fs.read(full)?.equals(content) === true) continue;
    // Another program removed or cut the file: bytes written at this offset would leave a hole before them.
    if ((stamp?.size ?? 0) < (change.offset ?? 0)) continue;
    context.fs.makeDirectory(path.dirname(full));
    if (change.offset === undefined) context.fs.remove(full);
    const file = context.fs.open(full);
    try {
      file.write(content, change.offset ?? 0);
    } finally {
      file.close();
    }
    if (change.offset === undefined) context.fs.makeReadOnly(full);
  }
}
