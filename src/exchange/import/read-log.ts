import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  type DamagePlace,
  type ImportedPiece,
  type LogFile,
  type LogFormat,
  type LogPosition,
  type LogRow,
  Tally,
} from './port.ts';
import { type ZoneClock, readLines, withoutMark } from './lines.ts';
import { SessionDraft } from './session-draft.ts';

/** Past this much text a session goes on in a part file, so that no log can fill the memory. */
const MAX_PIECE_CHARACTERS = 8 * 1024 * 1024;

/** Enough to tell a log that went on from one that was rewritten. */
const TAIL_BYTES = 256;

/** The oldest logs are one JSON value; none of them is large. */
const MAX_WHOLE_BYTES = 64 * 1024 * 1024;

export interface ReadLogOptions {
  readonly format: LogFormat;
  readonly clock: ZoneClock;
  readonly tally: Tally;
  readonly isKnown: (key: number) => boolean;
  readonly signal: AbortSignal | undefined;
  /** The session's state after the last import. */
  readonly before: { readonly position: LogPosition | undefined; readonly topic: string | undefined } | undefined;
}

/** Whether a log is as it was when it was last read, and was read to its end. */
export function isUnchanged(file: LogFile, position: LogPosition | undefined): boolean {
  if (position === undefined) return false;
  const isReadToEnd = position.isComplete === true || position.offset >= file.size;
  return isReadToEnd && position.size === file.size && position.mtimeMs === file.mtimeMs;
}

/**
 * Reads a log from where the last import ended. The last piece may be without turns: then it only tells how far the
 * log was read.
 */
export async function* readLog(file: LogFile, options: ReadLogOptions): AsyncGenerator<ImportedPiece> {
  const { format, clock, tally, isKnown, before } = options;
  const draft = new SessionDraft({ clock, isKnown, fallbackMs: file.mtimeMs });
  const reader = format.reader(draft, tally);
  const from = resumeAt(file, before?.position);
  draft.title = from > 0 ? before?.topic : undefined;
  let offset = from;
  const piece = (isLast: boolean): ImportedPiece => makePiece(file, draft, options, { offset, isLast });
  if (file.rows !== undefined) {
    if (from > 0) readFirstRows(file.rows(0), draft, options);
    for (const row of file.rows(from)) {
      if (options.signal?.aborted === true) return;
      if (row.isOpen || draft.rejected !== undefined) break;
      reader(row.value, row.id);
      offset += 1;
      if (draft.characters > MAX_PIECE_CHARACTERS) yield piece(false);
    }
  } else if (file.isWhole === true) {
    readWhole(file, (value) => reader(value, placeOf(file, 0)), tally);
    offset = file.size;
  } else {
    // The speaker and place are given at the start of a log, also for lines added since.
    if (from > 0) await readHead(file, draft, options);
    for await (const lines of readLines(file.path, from)) {
      if (options.signal?.aborted === true) return;
      for (const line of lines) {
        const place = { file: path.basename(file.path), at: offset };
        const options = { isOpen: line.isOpen, place };
        const isRead = readLine(line.text, (value) => reader(value, placeOf(file, line.end)), tally, options);
        if (isRead || !line.isOpen) offset = line.end;
        if (draft.characters > MAX_PIECE_CHARACTERS) yield piece(false);
      }
      if (draft.rejected !== undefined) break;
    }
  }
  if (draft.rejected !== undefined) tally.add('session', draft.rejected);
  yield piece(true);
}

function readLine(
  text: string | undefined,
  reader: (line: unknown) => void,
  tally: Tally,
  { isOpen, place }: { readonly isOpen: boolean; readonly place?: DamagePlace | undefined },
): boolean {
  const damaged = (why: string): void =>
    place === undefined ? tally.add('line', why) : tally.addDamage('line', why, place);
  if (text === undefined) {
    damaged('longer than 64 MB');
    return false;
  }
  try {
    reader(JSON.parse(text));
    return true;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    // The last line may still be on its way.
    if (!isOpen) damaged('not JSON');
    return false;
  }
}

function readWhole(file: LogFile, reader: (line: unknown) => void, tally: Tally): void {
  if (file.size > MAX_WHOLE_BYTES) tally.add('session', 'larger than 64 MB in one JSON value');
  else {
    const place = { file: path.basename(file.path), at: 0 };
    readLine(withoutMark(fs.readFileSync(file.path, 'utf8')), reader, tally, { isOpen: false, place });
  }
}

/** The same line in every import: a log only grows, and one that was rewritten has ids if anything has. */
function placeOf({ id }: LogFile, end: number): string {
  return `${id}@${end}`;
}

/** Lines at the start of a log that carry its folder and model; words in them are known already. */
async function readHead(file: LogFile, draft: SessionDraft, options: ReadLogOptions): Promise<void> {
  const scratch = new SessionDraft({ clock: options.clock, isKnown: () => true, fallbackMs: file.mtimeMs });
  const reader = options.format.reader(scratch, new Tally());
  for await (const lines of readLines(file.path)) {
    for (const line of lines) {
      readLine(line.text, (value) => reader(value, placeOf(file, line.end)), new Tally(), { isOpen: true });
    }
    break;
  }
  draft.project = scratch.project;
  draft.model = scratch.model;
  draft.rejected = scratch.rejected;
}

/** The first of them carry the session's folder and model. */
const HEAD_ROWS = 3;

function readFirstRows(rows: Iterable<LogRow>, draft: SessionDraft, options: ReadLogOptions): void {
  const scratch = new SessionDraft({ clock: options.clock, isKnown: () => true, fallbackMs: 0 });
  const reader = options.format.reader(scratch, new Tally());
  let read = 0;
  for (const row of rows) {
    reader(row.value, row.id);
    read += 1;
    if (read === HEAD_ROWS) break;
  }
  draft.project = scratch.project;
  draft.model = scratch.model;
}

function makePiece(
  file: LogFile,
  draft: SessionDraft,
  options: ReadLogOptions,
  { offset, isLast }: { readonly offset: number; readonly isLast: boolean },
): ImportedPiece {
  const { turns, keys, startedMs, endedMs } = draft.take();
  const isWanted = draft.rejected === undefined;
  const { clock, format, before } = options;
  return {
    origin: `${format.name}:${file.id}`,
    channel: format.name,
    model: draft.model,
    topic: draft.topic ?? before?.topic,
    tags: undefined,
    project: draft.project,
    trust: undefined,
    timezone: clock.zone,
    started: clock.at(startedMs).stamp,
    ended: clock.at(endedMs).stamp,
    endedMs,
    turns: isWanted ? turns : [],
    keys: isWanted ? keys : [],
    position: {
      size: file.size,
      mtimeMs: file.mtimeMs,
      offset,
      tail: tailHash(file, offset),
      ...(isLast ? { isComplete: true } : {}),
    },
  };
}

/** Where to go on reading: 0 when the log is new or is no longer the one that was read. */
function resumeAt(file: LogFile, position: LogPosition | undefined): number {
  if (position === undefined || position.offset === 0 || position.offset > file.size) return 0;
  return tailHash(file, position.offset) === position.tail ? position.offset : 0;
}

function tailHash(file: LogFile, offset: number): string {
  return file.rows === undefined ? hashTail(file.path, offset) : hashId(file.rows(Math.max(offset - 1, 0)));
}

/** The last row read, which is another one where the session was rewritten. */
function hashId(rows: Iterable<LogRow>): string {
  for (const { id } of rows) return hashOf(Buffer.from(id));
  return '';
}

function hashTail(file: string, offset: number): string {
  const length = Math.min(TAIL_BYTES, offset);
  const buffer = Buffer.alloc(length);
  const descriptor = fs.openSync(file, 'r');
  try {
    fs.readSync(descriptor, buffer, 0, length, offset - length);
  } finally {
    fs.closeSync(descriptor);
  }
  return hashOf(buffer);
}

function hashOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64url').slice(0, 16);
}
