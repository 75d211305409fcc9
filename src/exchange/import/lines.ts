import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';
import { HOUR_MS, MINUTE_MS } from '../../model/time.ts';
import type { LogFile } from './port.ts';

/** Nothing anybody said is this long; a line that is holds an image or a dump, and must not fill the memory. */
const MAX_LINE_BYTES = 64 * 1024 * 1024;

const CHUNK_BYTES = 1024 * 1024;
const MIN_CHUNK_BYTES = 4096;
const NEWLINE = 0x0a;

export interface SourceLine {
  /** undefined for a line longer than the limit. */
  readonly text: string | undefined;
  /** Where the next line starts in the file. */
  readonly end: number;
  /** The last line without a line end: perhaps still being written. */
  readonly isOpen: boolean;
}

/** A file's lines from a byte position on, a chunk's worth at a time; empty lines are left out. */
export async function* readLines(file: string, from = 0): AsyncGenerator<readonly SourceLine[]> {
  const handle = await fs.promises.open(file, 'r');
  try {
    const splitter = new LineSplitter(from);
    const { size } = await handle.stat();
    for (let position = from; ;) {
      // Lines keep pieces of it, so it cannot be used again; a small file must not cost a large one.
      const buffer = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Math.max(size - position, MIN_CHUNK_BYTES)));
      const { bytesRead } = await handle.read(buffer, 0, buffer.length, position);
      if (bytesRead === 0) break;
      position += bytesRead;
      const lines = splitter.push(buffer.subarray(0, bytesRead));
      if (lines.length > 0) yield lines;
    }
    const last = splitter.end();
    if (last !== undefined) yield [last];
  } finally {
    await handle.close();
  }
}

/** The lines of a text that was given as a whole. */
export function splitLines(text: string): readonly SourceLine[] {
  const splitter = new LineSplitter(0);
  const lines = [...splitter.push(Buffer.from(text, 'utf8'))];
  const last = splitter.end();
  return last === undefined ? lines : [...lines, last];
}

/** A byte order mark begins many files that Windows wrote, and files put together from such; JSON knows none. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

class LineSplitter {
  #position: number;
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #isTooLong = false;

  constructor(position: number) {
    this.#position = position;
  }

  push(chunk: Buffer): SourceLine[] {
    const lines: SourceLine[] = [];
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, at));
      this.#position += at + 1 - start;
      const line = this.#take(false);
      if (line !== undefined) lines.push(line);
      start = at + 1;
    }
    this.#keep(chunk.subarray(start));
    this.#position += chunk.length - start;
    return lines;
  }

  end(): SourceLine | undefined {
    return this.#take(true);
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0) return;
    this.#keptBytes += piece.length;
    this.#isTooLong ||= this.#keptBytes > MAX_LINE_BYTES;
    if (this.#isTooLong) this.#kept = [];
    else this.#kept.push(piece);
  }

  #take(isOpen: boolean): SourceLine | undefined {
    const isEmpty = this.#keptBytes === 0;
    const [first] = this.#kept;
    const bytes = this.#kept.length === 1 && first !== undefined ? first : Buffer.concat(this.#kept);
    const text = this.#isTooLong ? undefined : withoutMark(bytes.toString('utf8'));
    this.#kept = [];
    this.#keptBytes = 0;
    this.#isTooLong = false;
    return isEmpty || text?.trim() === '' ? undefined : { text, end: this.#position, isOpen };
  }
}

/** Looking into JSON that another program wrote: whatever is not as expected is simply not there. */

export type JsonRecord = Readonly<Record<string, unknown>>;

export function asRecord(value: unknown): JsonRecord | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonRecord) : undefined;
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** The object that a text holds; undefined for any other text. */
export function parseRecord(text: string): JsonRecord | undefined {
  return asRecord(parseJson(text));
}

/** The text without white space around it; undefined for anything else, and when nothing is left. */
export function asWords(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The records in a list; a single string stands for one text block, as several formats allow. */
export function asBlocks(value: unknown): readonly JsonRecord[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }];
  if (!Array.isArray(value)) return [];
  return (value as readonly unknown[]).map(asRecord).filter((record) => record !== undefined);
}

/** Dates are written with four digits for the year. */
const LAST_TIME_MS = Date.UTC(9999, 0);

/** Numbers below this are seconds since 1970, above it milliseconds: as milliseconds it lies in 1973. */
const FIRST_MILLISECONDS = 1e11;

/** `Date.parse` takes February 31 for March 3, and 24:00 for the next day, which is not what was written. */
const CALENDAR_TIME = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}))?/u;

function isOnCalendar(text: string): boolean {
  const match = CALENDAR_TIME.exec(text);
  if (match === null) return true;
  const [, year, month, day, hour] = match;
  return Number(day) <= new Date(Date.UTC(Number(year), Number(month), 0)).getUTCDate() && hour !== '24';
}

/** UTC milliseconds of a time written as ISO 8601 or as a number; undefined when it is neither. */
export function asTimeMs(value: unknown): number | undefined {
  const isSeconds = typeof value === 'number' && value < FIRST_MILLISECONDS;
  const timeMs = typeof value === 'number' ? value * (isSeconds ? 1000 : 1) : parseTime(asText(value) ?? '');
  return timeMs > 0 && timeMs < LAST_TIME_MS ? timeMs : undefined;
}

function parseTime(text: string): number {
  return isOnCalendar(text) ? Date.parse(text) : Number.NaN;
}

/** The text of content that is a string or a list of text blocks. */
export function textOfContent(value: unknown): string {
  return asBlocks(value)
    .flatMap((block) => asText(block['text']) ?? [])
    .join('\n\n');
}

/** An instant as a wall clock in the home's zone shows it. */
interface ZonedTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly time: string;
  /** `YYYY-MM-DDTHH:MM:SS+hh:mm` */
  readonly stamp: string;
}

/** Tells the hour of many instants in one zone. Asking Intl each time would take longer than reading the logs. */
export class ZoneClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  at(timeMs: number): ZonedTime {
    const offsetMinutes = this.#offsetAt(timeMs);
    const wall = new Date(timeMs + offsetMinutes * MINUTE_MS).toISOString();
    const date = wall.slice(0, 10);
    return { date, time: wall.slice(11, 16), stamp: `${wall.slice(0, 19)}${offsetText(offsetMinutes)}` };
  }

  /** Zones change their offset at full hours of UTC, or at half hours at worst. */
  #offsetAt(timeMs: number): number {
    const slot = Math.floor(timeMs / (HOUR_MS / 2));
    let offset = this.#offsets.get(slot);
    if (offset === undefined) {
      const name = this.#format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/u.exec(name) ?? [];
      offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
      this.#offsets.set(slot, offset);
    }
    return offset;
  }
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

interface FoundFile {
  readonly path: string;
  /** Relative to the folder that was searched, with `/`. */
  readonly relative: string;
  readonly name: string;
}

/** All files below a folder, links not followed. A folder that cannot be read counts as empty. */
export function walkFiles(root: string, enters: (relative: string, name: string) => boolean = () => true): FoundFile[] {
  const found: FoundFile[] = [];
  const visit = (folder: string, prefix: string): void => {
    for (const entry of readEntries(folder)) {
      const relative = `${prefix}${entry.name}`;
      const full = path.join(folder, entry.name);
      if (entry.isDirectory() && enters(relative, entry.name)) visit(full, `${relative}/`);
      else if (entry.isFile()) found.push({ path: full, relative, name: entry.name });
    }
  };
  visit(root, '');
  return found;
}

function readEntries(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

/** Codex names a log by time and id; the others by the id alone. */
const ROLLOUT_ID = /^rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})\.jsonl?$/u;

/** The id of the session in a program's log, by the name of the file, which need not exist yet. */
export function logId(file: string): string {
  const name = path.basename(file);
  return ROLLOUT_ID.exec(name)?.[1] ?? name.replace(/\.jsonl?$/u, '');
}

export function logFile(full: string, id: string): LogFile | undefined {
  const stat = fs.statSync(full, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isFile()) return undefined;
  return { id, path: full, size: stat.size, mtimeMs: Math.floor(stat.mtimeMs) };
}

/** Tells whether a given path is a file or a folder; it must exist. */
export function kindOfSource(source: string): 'file' | 'folder' {
  const stat = fs.statSync(source, { throwIfNoEntry: false });
  if (stat === undefined) {
    throw new MnemeError('not-found', `There is no ${source}.`, { hint: 'Check the path to import from.' });
  }
  return stat.isDirectory() ? 'folder' : 'file';
}
