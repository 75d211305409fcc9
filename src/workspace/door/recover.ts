import path from 'node:path';
import { blobId } from '../git/blob-id.ts';
import type { Journal, JournalPosition } from '../journal/journal.ts';
import type { JournalRecord } from '../journal/record.ts';
import type { KnownFiles } from '../known-files.ts';
import { applyAppendOnly } from './append-only.ts';
import type { DoorContext } from './context.ts';

export interface Recovery {
  readonly records: readonly JournalRecord[];
  readonly end: JournalPosition;
  /** Files whose content the journal does not know: a person edited them around the crash. */
  readonly unknown: readonly string[];
}

/** Every state the journal knows of one file, oldest first. */
interface FileHistory {
  readonly oids: Set<string | null>;
  last: { oid: string | null; content: Buffer | undefined };
}

/**
 * Completes what a crash interrupted: records from `from` on are durable, their files may or may not be. A file in any
 * state the journal knows is brought to the last one; a file in another state is somebody's edit and is not touched.
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
    else applyAppendOnly(context, entry.record);
  }
  journal.truncate(end);
  const unknown: string[] = [];
  for (const [relative, history] of histories) {
    const isComplete = await completeFile(context, relative, history);
    if (!isComplete) unknown.push(relative);
    known.set(relative, history.last.oid);
  }
  return { records, end, unknown };
}

function collect(histories: Map<string, FileHistory>, record: JournalRecord): void {
  for (const [index, change] of record.files.entries()) {
    const history = histories.get(change.path);
    const last = { oid: change.after, content: record.contents[index] };
    if (history === undefined) histories.set(change.path, { oids: new Set([change.before, change.after]), last });
    else {
      history.oids.add(change.before).add(change.after);
      history.last = last;
    }
  }
}

async function completeFile(context: DoorContext, relative: string, history: FileHistory): Promise<boolean> {
  const target = path.join(context.paths.repositories.workspace.workTree, relative);
  const present = context.fs.read(target);
  const oid = present === undefined ? null : blobId(present);
  if (oid === history.last.oid) return true;
  // A power cut can leave a renamed file without its data: empty is then not an edit but a loss.
  const isLost = present?.length === 0;
  if (!history.oids.has(oid) && !isLost) return false;
  if (history.last.content === undefined) {
    context.fs.remove(target);
    return true;
  }
  context.fs.makeDirectory(path.dirname(target));
  const temporary = context.temporaryFor(target);
  context.fs.write(temporary, history.last.content);
  await context.fs.rename(temporary, target);
  return true;
}
