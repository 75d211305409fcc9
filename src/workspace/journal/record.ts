import { crc32 } from 'node:zlib';
import type { Action, Actor, Approval } from '../../model/mutation.ts';
import { findRecordedPathObjection, quotePath } from '../safety/paths.ts';

/** The three repositories of a home; each has its own history. */
export const REPOSITORIES = ['workspace', 'raw', 'chain'] as const;
export type RepositoryName = (typeof REPOSITORIES)[number];

/** The change of one file. `before` and `after` are git blob ids; null means the file does not exist. */
export interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
  /** For an append: where in the file the bytes go. The record then holds only those bytes. */
  readonly offset?: number | undefined;
}

/** One mutation as the journal keeps it: everything needed to redo the files and to make the commit. */
export interface JournalRecord {
  readonly id: string;
  readonly timeMs: number;
  readonly repository: RepositoryName;
  readonly action: Action;
  readonly summary: string;
  readonly actor: Actor;
  readonly approval?: Approval | undefined;
  readonly trigger?: string | undefined;
  readonly session?: string | undefined;
  readonly files: readonly FileChange[];
  /** The bytes of each file of `files` (whole, or the appended part); undefined for a deletion. */
  readonly contents: readonly (Buffer | undefined)[];
}

/*
 * Frame: "MJ1\n" · u32 payload length · u32 CRC-32 of the payload · payload.
 * Payload: u32 header length · header (JSON) · the contents one after the other; their lengths stand in the header.
 */
export const MAGIC = Buffer.from('MJ1\n');
export const FRAME_OVERHEAD = MAGIC.length + 8;

interface Header extends Omit<JournalRecord, 'contents'> {
  readonly lengths: readonly (number | null)[];
  /** Where in the segment the append began that wrote this record: everything before it was durable by then. */
  readonly appendedAt: number;
}

export interface Frame {
  readonly record: JournalRecord;
  readonly appendedAt: number;
}

export function serializeRecord(record: JournalRecord, appendedAt: number): Buffer {
  const { contents, ...rest } = record;
  const header: Header = { ...rest, lengths: contents.map((content) => content?.length ?? null), appendedAt };
  const headerBytes = Buffer.from(JSON.stringify(header), 'utf8');
  const headerLength = Buffer.allocUnsafe(4);
  headerLength.writeUInt32LE(headerBytes.length);
  const payload = Buffer.concat([headerLength, headerBytes, ...contents.filter((content) => content !== undefined)]);
  const frame = Buffer.allocUnsafe(FRAME_OVERHEAD);
  MAGIC.copy(frame);
  frame.writeUInt32LE(payload.length, 4);
  frame.writeUInt32LE(crc32(payload), 8);
  return Buffer.concat([frame, payload]);
}

/** The payload length a frame announces, or undefined when the bytes are not the start of a frame. */
export function frameLength(start: Buffer): number | undefined {
  if (start.length < FRAME_OVERHEAD || !start.subarray(0, MAGIC.length).equals(MAGIC)) return undefined;
  return start.readUInt32LE(4);
}

/** Reads one whole frame; undefined when it is torn or damaged. What the record says is not checked here. */
export function parseFrame(frame: Buffer): Frame | { readonly fault: string } | undefined {
  const length = frameLength(frame);
  if (length === undefined || frame.length !== FRAME_OVERHEAD + length || length < 4) return undefined;
  const payload = frame.subarray(FRAME_OVERHEAD);
  if (crc32(payload) !== frame.readUInt32LE(8)) return undefined;
  const headerEnd = 4 + payload.readUInt32LE(0);
  const header = parseHeader(payload.toString('utf8', 4, headerEnd));
  if (header === undefined) return { fault: 'its header cannot be read' };
  const { lengths, appendedAt, ...rest } = header;
  let position = headerEnd;
  const contents = lengths.map((size) => {
    if (size === null) return undefined;
    position += size;
    return payload.subarray(position - size, position);
  });
  if (position !== payload.length) return { fault: 'its contents have another length' };
  return { record: { ...rest, contents }, appendedAt };
}

function parseHeader(text: string): Header | undefined {
  try {
    const header = JSON.parse(text) as Header | null;
    return header !== null && Array.isArray(header.lengths) && header.lengths.every(isLength) ? header : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function isLength(value: unknown): boolean {
  return value === null || (Number.isSafeInteger(value) && Number(value) >= 0);
}

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
