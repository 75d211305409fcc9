import path from 'node:path';
import { ulidTimeMs } from '../../model/ids.ts';
import { isObstructed } from '../../platform/fs.ts';
import type { Journal, JournalPosition } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import { type KnownFiles, blobId } from '../known-files.ts';
import { isOwnPlace } from '../safety/paths.ts';
import { applyAppendOnly } from './append-only.ts';
import { FileWriter } from './apply.ts';
import type { DoorContext } from './context.ts';
import { readRegular } from './regular-file.ts';

export interface Recovery {
  readonly records: readonly JournalRecord[];
  readonly end: JournalPosition;
  /** Files whose content the journal does not know: a person edited them around the crash. */
  readonly unknown: readonly string[];
  /** Files that somebody brought back to an earlier state after our last write. */
  readonly reverted: readonly string[];
}

/** Every state the journal knows of one file. */
interface FileHistory {
  readonly contents: Map<string | null, Buffer | undefined>;
  last: string | null;
  lastMutation: string;
}

/**
 * Completes what a crash interrupted: records from `from` on are durable, their files may or may not be. A file in any
 * state the journal knows is brought to the last one; a file in another state is somebody's edit and is not touched.
 * All records are read, and thereby checked, before anything is written: one that must not be followed stops the rest.
 */
export async function rollForward(
  context: DoorContext,
  journal: Journal,
  known: KnownFiles,
  from: JournalPosition,
): Promise<Recovery> {
  const histories = new Map<string, FileHistory>();
  const records: JournalRecord[] = [];
  let end = from;
  for (const entry of journal.read(from)) {
    end = entry.end;
    records.push(entry.record);
    if (entry.record.repository === 'workspace') collect(histories, entry.record);
  }
  journal.truncate(end);
  for (const record of records) if (record.repository !== 'workspace') applyAppendOnly(context, record);
  const unknown: string[] = [];
  const reverted: string[] = [];
  for (const [relative, history] of histories) {
    const outcome = await completeFile(context, relative, history);
    if (outcome === 'unknown') unknown.push(relative);
    if (outcome === 'reverted') reverted.push(relative);
    known.set(relative, history.last);
  }
  return { records, end, unknown, reverted };
}

function collect(histories: Map<string, FileHistory>, record: JournalRecord): void {
  for (const [index, change] of record.files.entries()) {
    const history = histories.get(change.path) ?? { contents: new Map(), last: null, lastMutation: '' };
    if (!history.contents.has(change.before)) history.contents.set(change.before, undefined);
    history.contents.set(change.after, record.contents[index]);
    history.last = change.after;
    history.lastMutation = record.id;
    histories.set(change.path, history);
  }
}

async function completeFile(
  context: DoorContext,
  relative: string,
  history: FileHistory,
): Promise<'complete' | 'unknown' | 'reverted'> {
  const { fs } = context;
  const root = context.paths.repositories.workspace.workTree;
  // A link that was put there after our write is an edit like any other, and what it leads to is not ours to write.
  if (!isOwnPlace(root, relative)) return 'unknown';
  const target = path.join(root, relative);
  const present = readRegular(fs, target);
  const oid = present === undefined ? null : blobId(present);
  if (oid === history.last) return 'complete';
  if (!history.contents.has(oid) && !(present !== undefined && isDamaged(present, history))) return 'unknown';
  // An earlier state left by a crash was written before the later one; a checkout or an undo comes after it.
  const writtenMs = Number((fs.stamp(target)?.mtimeNs ?? 0n) / 1_000_000n);
  if (history.contents.has(oid) && writtenMs > ulidTimeMs(history.lastMutation)) return 'reverted';
  const writer = new FileWriter(context);
  const current = history.contents.get(history.last);
  try {
    writer.writeTemporaries([{ path: relative, onDisk: present, current, recorded: history.last }]);
    const overtaken = await writer.applyAll(history.lastMutation);
    return overtaken.length === 0 ? 'complete' : 'unknown';
  } catch (error) {
    writer.discard();
    // A file where the folder was, or a folder where the file was, is an edit like any other.
    if (isObstructed(error)) return 'unknown';
    throw error;
  }
}

/** File systems write in units of this size, or of a multiple of it. */
const BLOCK_BYTES = 4096;

/** A power cut can leave a renamed file without some of its data: a hole is then not an edit but a loss. */
function isDamaged(present: Buffer, history: FileHistory): boolean {
  if (present.length === 0) return true;
  return history.contents.values().some((content) => content !== undefined && isRemainder(present, content));
}

function isRemainder(present: Buffer, content: Buffer): boolean {
  const isCutAtBlock = present.length === content.length || present.length % BLOCK_BYTES === 0;
  if (!isCutAtBlock || present.length > content.length) return false;
  return present.every((byte, index) => byte === 0 || byte === content[index]);
}
