import { quotePath } from '../safety/paths.ts';
import { findRecordedPathObjection } from '../safety/recorded-path.ts';
import { REPOSITORIES, type FileChange, type JournalRecord } from './record.ts';

/** Becomes part of a file name. */
const ID = /^[\w-]{1,64}$/u;
const BLOB_ID = /^[0-9a-f]{40}$/u;
const ACTION = /^[A-Z]{1,32}$/u;
/** Becomes the author in the stream that git imports, where a line end would begin another command. */
const ACTOR = /^[^\p{Cc}<>]{1,200}$/u;
/** The range of a date. */
const MAX_TIME_MS = 8.64e15;

/**
 * Says why a record must not be replayed; undefined when it may. A checksum only shows that a record is the one that was
 * written, not by whom: a home or backup from elsewhere brings its own journal. By hand, because every reading of the
 * journal asks, and a schema takes ten times as long.
 */
export function findRecordFault(record: JournalRecord): string | undefined {
  const { id, timeMs, repository, action, summary, actor, approval, trigger, session, files, contents } = record;
  if (!isText(id) || !ID.test(id)) return 'its id is not an id';
  if (!REPOSITORIES.includes(repository)) return 'it names no repository';
  if (!isText(action) || !ACTION.test(action)) return 'it names no action';
  if (!isText(actor) || !ACTOR.test(actor)) return 'it names no actor';
  if (!Number.isFinite(timeMs) || Math.abs(timeMs) > MAX_TIME_MS) return 'its time is not a time';
  if (!isText(summary) || ![approval, trigger, session].every(isTextOrMissing)) return 'what it says is not text';
  if (!Array.isArray(files) || files.length !== contents.length) return 'it has not one content for each file';
  return files.map(findChangeFault).find((fault) => fault !== undefined);
}

function findChangeFault(change: FileChange | null): string | undefined {
  const { path, before, after, offset } = change ?? {};
  const objection = findRecordedPathObjection(path);
  const shown = quotePath(String(path));
  if (objection !== undefined) return `the path ${shown} ${objection}`;
  if (!isBlobId(before) || !isBlobId(after)) return `the state of ${shown} is not a blob id`;
  const isOffset = offset === undefined || (Number.isSafeInteger(offset) && offset >= 0);
  return isOffset ? undefined : `the offset in ${shown} is not an offset`;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isTextOrMissing(value: unknown): boolean {
  return value === undefined || isText(value);
}

function isBlobId(value: unknown): boolean {
  return value === null || (isText(value) && BLOB_ID.test(value));
}
