import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import type { FileSystem } from '../../platform/fs.ts';
import type { LogPosition } from './port.ts';

/** The data that an import added for a session. */
export interface SessionRecord {
  readonly origin: string;
  /** The transcript in raw/; undefined when the log held nothing to keep. */
  readonly path: string | undefined;
  readonly turns: number;
  /** The number of transcripts with these turns; 1 or 0 unless they were found in raw/ already. */
  readonly parts?: number | undefined;
  readonly keys: readonly number[];
  readonly topic?: string | undefined;
  readonly position?: LogPosition | undefined;
}

/** The state of a session after all its imports. */
export interface SessionState {
  readonly parts: number;
  readonly turns: number;
  readonly topic: string | undefined;
  readonly position: LogPosition | undefined;
}

/** A document that was copied into the workspace. */
export interface DocumentRecord {
  /** The import and the file in it, such as `markdown:notes/travel/lisbon.md`. */
  readonly origin: string;
  readonly path: string;
  /** Of the source when it was read. */
  readonly hash: string;
  /** Git's id of what was written, to merge a later version with what a person changed here. */
  readonly blob: string;
}

/** A folder that documents were copied from, and the one folder its copies go to. */
export interface FolderRecord {
  /** Identifies the folder by the kind of import and a hash of its real path, since the path itself is this machine's business. */
  readonly folder: string;
  /** Names the import in the copies and in the documents' origins, such as `markdown:notes-2`. */
  readonly name: string;
  readonly target: string;
}

type LedgerLine =
  | { readonly batch: string; readonly sessions: readonly SessionRecord[] }
  | { readonly done: string }
  | { readonly document: DocumentRecord }
  | { readonly source: FolderRecord }
  | { readonly statements: string; readonly keys: readonly number[] };

/**
 * `journal/imports.jsonl`: what was imported, so that importing again takes only what is new. A batch is announced
 * before its transcripts are committed and confirmed afterwards; of a batch that a crash left unconfirmed, what stands
 * in raw/ counts. Lines are only added by the holder of the import lock.
 */
export class ImportLedger {
  readonly #file: string;
  readonly #fs: FileSystem;
  readonly #isWritten: (path: string) => boolean;
  readonly #sessions = new Map<string, SessionState>();
  readonly #documents = new Map<string, DocumentRecord>();
  readonly #folders = new Map<string, FolderRecord>();
  readonly #keys = new Set<number>();
  readonly #announced = new Map<string, readonly SessionRecord[]>();
  readonly #foreignKeys = new Set<number>();
  readonly #foreignOrigins = new Set<string>();
  #position = 0;

  constructor(folder: string, fs: FileSystem, isWritten: (path: string) => boolean) {
    this.#file = path.join(folder, 'imports.jsonl');
    this.#fs = fs;
    this.#isWritten = isWritten;
    this.#readNew();
    this.acceptForeign();
  }

  session(origin: string): SessionState | undefined {
    return this.#sessions.get(origin);
  }

  document(origin: string): DocumentRecord | undefined {
    return this.#documents.get(origin);
  }

  documents(): IteratorObject<DocumentRecord> {
    return this.#documents.values();
  }

  folder(folder: string): FolderRecord | undefined {
    return this.#folders.get(folder);
  }

  folders(): IteratorObject<FolderRecord> {
    return this.#folders.values();
  }

  isKnown(key: number): boolean {
    return this.#keys.has(key);
  }

  /** Under the lock: takes in what others did meanwhile and settles what a crash left open. */
  refresh(): void {
    this.#readNew();
    for (const [batch, sessions] of this.#announced) {
      this.#announced.delete(batch);
      for (const session of sessions) {
        if (session.path !== undefined && this.#isWritten(session.path)) this.#applyForeign(session);
      }
    }
  }

  /** Whether another process has imported this session, or words of it, since this ledger was opened. */
  wasOvertaken(origin: string, keys: readonly number[]): boolean {
    return this.#foreignOrigins.has(origin) || keys.some((key) => this.#foreignKeys.has(key));
  }

  /** Forgets what other processes imported; the sessions concerned are read again. */
  acceptForeign(): void {
    this.#foreignKeys.clear();
    this.#foreignOrigins.clear();
  }

  announce(batch: string, sessions: readonly SessionRecord[]): Promise<void> {
    return this.#append([{ batch, sessions }]);
  }

  async confirm(batch: string, sessions: readonly SessionRecord[]): Promise<void> {
    await this.#append([{ done: batch }]);
    for (const session of sessions) this.#apply(session);
  }

  async recordDocuments(documents: readonly DocumentRecord[]): Promise<void> {
    await this.#append(documents.map((document) => ({ document })));
    for (const document of documents) this.#documents.set(document.origin, document);
  }

  /** Facts, relations and memories that were taken over, by hash: what is removed here later does not come back. */
  async recordStatements(origin: string, keys: readonly number[]): Promise<void> {
    if (keys.length > 0) await this.#append([{ statements: origin, keys }]);
    for (const key of keys) this.#keys.add(key);
  }

  async recordFolder(record: FolderRecord): Promise<void> {
    await this.#append([{ source: record }]);
    this.#folders.set(record.folder, record);
  }

  #readNew(): void {
    const bytes = this.#fs.read(this.#file);
    if (bytes === undefined) return;
    // A line without its end was never confirmed; its writer has died or is still at it.
    const end = bytes.lastIndexOf('\n') + 1;
    const text = bytes.subarray(Math.min(this.#position, end), end).toString('utf8');
    this.#position = Math.max(end, this.#position);
    for (const line of text.split('\n')) if (line !== '') this.#readLine(line);
  }

  #readLine(text: string): void {
    const line = parseLine(text);
    if (line === undefined) return;
    if ('document' in line) this.#documents.set(line.document.origin, line.document);
    else if ('source' in line) this.#folders.set(line.source.folder, line.source);
    else if ('statements' in line) for (const key of line.keys) this.#keys.add(key);
    else if ('batch' in line) this.#announced.set(line.batch, line.sessions);
    else {
      for (const session of this.#announced.get(line.done) ?? []) this.#applyForeign(session);
      this.#announced.delete(line.done);
    }
  }

  #applyForeign(session: SessionRecord): void {
    this.#foreignOrigins.add(session.origin);
    for (const key of session.keys) this.#foreignKeys.add(key);
    this.#apply(session);
  }

  #apply(record: SessionRecord): void {
    this.#sessions.set(record.origin, addToSession(this.#sessions.get(record.origin), record));
    for (const key of record.keys) this.#keys.add(key);
  }

  async #append(lines: readonly LedgerLine[]): Promise<void> {
    if (lines.length === 0) return;
    const folder = path.dirname(this.#file);
    this.#fs.makeDirectory(folder);
    const isNew = this.#fs.stamp(this.#file) === undefined;
    const file = this.#fs.open(this.#file);
    try {
      const size = file.size();
      // A line torn by a crash stays a line of its own; it is unreadable, and skipped.
      const isTorn = size > 0 && file.read(size - 1, 1)[0] !== 0x0a;
      const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
      const bytes = Buffer.from(isTorn ? `\n${text}` : text, 'utf8');
      file.write(bytes, size);
      await file.sync();
      this.#position = size + bytes.length;
    } finally {
      file.close();
    }
    if (isNew) this.#fs.syncDirectory(folder);
  }
}

export function addToSession(before: SessionState | undefined, record: SessionRecord): SessionState {
  return {
    parts: (before?.parts ?? 0) + (record.parts ?? (record.path === undefined ? 0 : 1)),
    turns: (before?.turns ?? 0) + record.turns,
    topic: before?.topic ?? record.topic,
    position: record.position ?? before?.position,
  };
}

function parseLine(text: string): LedgerLine | undefined {
  try {
    return JSON.parse(text) as LedgerLine;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw new MnemeError('failure', 'The record of imports cannot be read.', { cause: error });
  }
}
