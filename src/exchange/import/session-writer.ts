import { createHash } from 'node:crypto';
import path from 'node:path';
import type { Actor } from '../../model/mutation.ts';
import { encodeBase32, ITEM_ID_LENGTH } from '../../model/ids.ts';
import type { TranscriptFrontmatter } from '../../model/schemas/frontmatter.ts';
import type { Clock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { Random } from '../../platform/random.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { type Turn, parseTranscript } from '../../workspace/formats/transcript.ts';
import { holdLock } from '../../workspace/lock.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { existsPacked, plainName, readPacked } from '../../workspace/packed.ts';
import { liveLogFile, readLastLiveTurn, turnNumber } from '../../capture/live-turn.ts';
import type { Continuation } from '../../capture/sessions.ts';
import { prepareTranscript, type TranscriptFile } from '../../capture/finished-transcripts.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { addToSession, ImportLedger, type SessionRecord, type SessionState } from './ledger.ts';
import { walkFiles } from './lines.ts';
import type { ImportedPiece } from './port.ts';
import { projectName } from '../../model/text.ts';

/** Enough of a session's id to find its files by name. */
const PREFIX_CHARACTERS = 8;

const TRANSCRIPT_NAME = /^\d{4}-(.+)\.md(?:\.gz)?$/u;

interface ExistingTurns {
  readonly turns: number;
  readonly parts: number;
}

/**
 * The transcripts in raw/ by session. The record of imports is this machine's own; transcripts may have come from
 * another through git, and must not be doubled when the same logs are imported here.
 */
class ExistingTranscripts {
  readonly #root: string;
  readonly #byPrefix = new Map<string, string[]>();
  readonly #found = new Map<string, ExistingTurns | undefined>();

  constructor(root: string) {
    this.#root = root;
    for (const { name, relative } of walkFiles(path.join(root, 'conversations'))) {
      const rest = TRANSCRIPT_NAME.exec(name)?.[1];
      if (rest === undefined) continue;
      const prefix = rest.slice(0, PREFIX_CHARACTERS);
      const known = this.#byPrefix.get(prefix);
      if (known === undefined) this.#byPrefix.set(prefix, [relative]);
      else known.push(relative);
    }
  }

  /** As it was when this was made, however often a long session asks. */
  find(session: string): ExistingTurns | undefined {
    if (!this.#found.has(session)) this.#found.set(session, this.#read(session));
    return this.#found.get(session);
  }

  #read(session: string): ExistingTurns | undefined {
    let turns = 0;
    let parts = 0;
    for (const relative of this.#candidates(session)) {
      if (!path.basename(relative).slice('HHMM-'.length).startsWith(session)) continue;
      const text = readPacked(nodeFileSystem, path.join(this.#root, 'conversations', relative))?.toString('utf8');
      if (text === undefined) continue;
      const transcript = parseTranscript(parseDocument(text));
      if (transcript.frontmatter.session_id !== session) continue;
      parts += 1;
      turns = Math.max(turns, (transcript.frontmatter.first_turn ?? 1) - 1 + transcript.turns.length);
    }
    return parts === 0 ? undefined : { turns, parts };
  }

  /** The files whose names may begin with the session; behind a short one other words stand in the prefix. */
  #candidates(session: string): readonly string[] {
    if (session.length >= PREFIX_CHARACTERS) return this.#byPrefix.get(session.slice(0, PREFIX_CHARACTERS)) ?? [];
    return [...this.#byPrefix].flatMap(([prefix, files]) => (prefix.startsWith(session) ? files : []));
  }
}

/** One mutation carries this many transcripts: one sync and one round of git for all, and little to hold in memory. */
const MAX_BATCH_FILES = 50;
const MAX_BATCH_CHARACTERS = 2 * 1024 * 1024;

/** Names that can be told from a file name; others are replaced by a hash. */
const PLAIN_SESSION = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

export interface WriterOptions {
  readonly workspace: Workspace;
  readonly clock: Clock;
  readonly random: Random;
  readonly actor: Actor;
  /** The name of the import, for the history. */
  readonly from: string;
  readonly isDryRun: boolean;
  /** Called for each piece that has been written, or would be. */
  readonly onWritten: (written: WrittenPiece) => void;
}

export interface WrittenPiece {
  readonly origin: string;
  /** Whether earlier turns of the session were there already. */
  readonly isContinued: boolean;
  readonly turns: readonly Turn[];
}

interface Prepared {
  readonly piece: ImportedPiece;
  readonly record: SessionRecord;
  readonly file: TranscriptFile | undefined;
  readonly written: WrittenPiece;
}

/** The session's id in this home, the same for every import of it. */
export function sessionIdOf(origin: string): string {
  const own = origin.startsWith('transcript:') ? origin.slice('transcript:'.length) : undefined;
  // A program that hands over a conversation has an id for it and will use that id to find it.
  if (own !== undefined && PLAIN_SESSION.test(own)) return own;
  return `ses_${encodeBase32(createHash('sha256').update(origin).digest(), ITEM_ID_LENGTH)}`;
}

/** Writes sessions to raw/ in batches, each exactly once, whoever else is importing. */
export class SessionWriter {
  readonly ledger: ImportLedger;
  /** Sessions that another process imported while they were being read here; they have to be read again. */
  readonly overtaken = new Set<string>();
  readonly #options: WriterOptions;
  readonly #lock: StateDatabase;
  readonly #raw: string;
  readonly #existing: ExistingTranscripts;
  /** Sessions as they will be when the batch is written. */
  readonly #states = new Map<string, SessionState>();
  readonly #claimed = new Set<number>();
  /** Transcripts of the batch under way, by their path in lower case. */
  readonly #paths = new Map<string, string>();
  #batch: Prepared[] = [];
  #characters = 0;
  #batches = 0;

  constructor(options: WriterOptions) {
    const { paths } = options.workspace;
    this.#options = options;
    this.#raw = paths.repositories.raw.workTree;
    this.#lock = new StateDatabase(
      path.join(paths.state, 'import.db'),
      'CREATE TABLE IF NOT EXISTS import (id INTEGER)',
    );
    this.ledger = new ImportLedger(paths.journal, nodeFileSystem, (file) =>
      existsPacked(nodeFileSystem, path.join(this.#raw, file)),
    );
    this.#existing = new ExistingTranscripts(this.#raw);
  }

  /** Whether a message was imported before, or earlier in this run. */
  readonly isKnown = (key: number): boolean => this.ledger.isKnown(key) || this.#claimed.has(key);

  stateOf(origin: string): SessionState | undefined {
    return this.#states.get(origin) ?? this.ledger.session(origin);
  }

  /** Takes a piece in; it is written with the batch it belongs to. */
  async add(piece: ImportedPiece): Promise<void> {
    const prepared = await this.#prepare(piece);
    this.#states.set(piece.origin, addToSession(this.stateOf(piece.origin), prepared.record));
    for (const key of piece.keys) this.#claimed.add(key);
    if (this.#options.isDryRun) {
      this.#options.onWritten(prepared.written);
      return;
    }
    this.#batch.push(prepared);
    this.#characters += prepared.file?.text.length ?? 0;
    if (this.#batch.length >= MAX_BATCH_FILES || this.#characters >= MAX_BATCH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    const batch = this.#batch;
    this.#batch = [];
    this.#characters = 0;
    if (batch.length === 0) return;
    await this.exclusively(() => this.#write(this.#withoutOvertaken(batch)));
    // From here on the ledger knows them.
    this.#states.clear();
    this.#paths.clear();
  }

  close(): void {
    this.#lock.close();
  }

  /** Forgets what other processes have done; called before the overtaken sessions are read again. */
  startOver(): void {
    this.overtaken.clear();
    this.ledger.acceptForeign();
  }

  /** Runs something that no other import may come between, with what the others did known. */
  exclusively<T>(body: () => Promise<T>): Promise<T> {
    return holdLock(this.#lock.connection, 'import', this.#options, () => {
      this.ledger.refresh();
      return body();
    });
  }

  async #write(batch: readonly Prepared[]): Promise<void> {
    if (batch.length === 0) return;
    const { workspace, actor, from, clock } = this.#options;
    const records = batch.map(({ record }) => record);
    const files = batch.flatMap(({ file }) => file ?? []);
    this.#batches += 1;
    const name = `${clock.now()}-${this.#options.random.number().toString(36).slice(2, 8)}-${this.#batches}`;
    await this.ledger.announce(name, records);
    if (files.length > 0) {
      await workspace.commit({
        repository: 'raw',
        actor,
        approval: 'auto',
        trigger: `import ${from}`,
        summary: `${files.length} conversation${files.length === 1 ? '' : 's'} from ${from}`,
        changes: files.map(({ path: target, text }) => ({ path: target, content: text, base: undefined })),
      });
    }
    await this.ledger.confirm(name, records);
    for (const { written } of batch) this.#options.onWritten(written);
  }

  #withoutOvertaken(batch: readonly Prepared[]): Prepared[] {
    return batch.filter(({ piece }) => {
      if (!this.overtaken.has(piece.origin) && !this.ledger.wasOvertaken(piece.origin, piece.keys)) return true;
      this.overtaken.add(piece.origin);
      for (const key of piece.keys) this.#claimed.delete(key);
      return false;
    });
  }

  async #prepare(piece: ImportedPiece): Promise<Prepared> {
    const session = sessionIdOf(piece.origin);
    const state = this.stateOf(piece.origin);
    // Only a log is read on from a position; of anything else what is known is left out by its keys.
    const mayBeHeld = piece.turns.length > 0 && (state === undefined || piece.position !== undefined);
    const found = mayBeHeld ? this.#findUntold(session, state) : undefined;
    const before = found ?? state;
    const held = found === undefined ? 0 : found.turns - (state?.turns ?? 0);
    const turns = piece.turns.slice(held);
    const firstTurn = (before?.turns ?? 0) + 1;
    const numbered = turns.map((turn, index) => ({ ...turn, id: `t${firstTurn + index}` }));
    const part = (before?.parts ?? 0) + 1;
    const topic = state?.topic ?? (await this.#clean(piece.topic));
    const [first] = numbered;
    // Turns found in raw/ already are left out, so the rest begins later than the session did.
    const started = found === undefined || first === undefined ? piece.started : `${first.date}T${first.time}`;
    const frontmatter = frontmatterOf(piece, { session, topic, part, firstTurn, started });
    const file = first === undefined ? undefined : await this.#prepareFile(frontmatter, numbered);
    const { origin, keys, position } = piece;
    const parts = (found === undefined ? 0 : found.parts - (state?.parts ?? 0)) + (file === undefined ? 0 : 1);
    // A piece in the middle of a log leaves the rest of what is held to the pieces after it.
    const known = position === undefined || position.isComplete === true ? held : Math.min(held, piece.turns.length);
    return {
      piece,
      file,
      written: { origin, isContinued: firstTurn > 1, turns: numbered },
      record: { origin, path: file?.path, turns: known + turns.length, parts, keys, topic, position },
    };
  }

  /**
   * The session as this home holds it, when that is more than the record of imports knows: it came from another machine,
   * or the capture that wrote it was interrupted before it could tell.
   */
  #findUntold(session: string, state: SessionState | undefined): Continuation | undefined {
    const told = { parts: state?.parts ?? 0, turns: state?.turns ?? 0 };
    const raw = this.#existing.find(session);
    const inRaw = raw !== undefined && raw.turns > told.turns ? raw : undefined;
    const before = inRaw ?? told;
    const live = readLastLiveTurn(nodeFileSystem, liveLogFile(this.#options.workspace.paths.journal, session));
    if (live === undefined || turnNumber(live) <= before.turns) return inRaw;
    return { parts: before.parts + 1, turns: turnNumber(live) };
  }

  /** Topics reach file names and the record of imports. */
  async #clean(text: string | undefined): Promise<string | undefined> {
    return text === undefined ? undefined : (await this.#options.workspace.redactor.redact(text)).text;
  }

  async #prepareFile(frontmatter: TranscriptFrontmatter, turns: readonly Turn[]): Promise<TranscriptFile | undefined> {
    const { redactor } = this.#options.workspace;
    for (let part = frontmatter.part ?? 1; ; part += 1) {
      const named = part === 1 ? frontmatter : { ...frontmatter, part };
      const file = await prepareTranscript(redactor, { frontmatter: named, turns });
      if (file === undefined) return undefined;
      const same = this.#namesLike(file.path);
      if (same.length === 0) return this.#claim(file);
      if (same.includes(path.basename(file.path))) continue;
      const mark = createHash('sha256').update(frontmatter.session_id).digest('hex').slice(0, 6);
      const marked = await prepareTranscript(redactor, { frontmatter: named, turns, mark });
      if (marked !== undefined && this.#namesLike(marked.path).length === 0) return this.#claim(marked);
    }
  }

  #claim(file: TranscriptFile): TranscriptFile {
    this.#paths.set(file.path.toLowerCase(), file.path);
    return file;
  }

  /** Names in the folder that are this one on a file system that ignores case, written or about to be. */
  #namesLike(file: string): string[] {
    const name = path.basename(file).toLowerCase();
    const written = nodeFileSystem.list(path.join(this.#raw, path.dirname(file)));
    const claimed = this.#paths.get(file.toLowerCase());
    const others = written.filter((one) => plainName(one).toLowerCase() === name);
    return claimed === undefined ? others : [...others, path.basename(claimed)];
  }
}

interface Numbering {
  readonly session: string;
  readonly topic: string | undefined;
  readonly part: number;
  readonly firstTurn: number;
  readonly started: string;
}

function frontmatterOf(piece: ImportedPiece, numbering: Numbering): TranscriptFrontmatter {
  const { session, topic, part, firstTurn, started } = numbering;
  return {
    session_id: session,
    started,
    ...(piece.ended === undefined ? {} : { ended: piece.ended }),
    timezone: piece.timezone,
    ...(piece.model === undefined ? {} : { model: piece.model }),
    ...(piece.channel === undefined ? {} : { channel: piece.channel }),
    ...(topic === undefined ? {} : { topic }),
    ...(piece.tags === undefined ? {} : { tags: [...piece.tags] }),
    ...(piece.project === undefined ? {} : { project: projectName(piece.project) }),
    source: 'import',
    imported_from: piece.origin,
    ...(piece.trust === undefined ? {} : { trust: piece.trust }),
    ...(part === 1 ? {} : { part, first_turn: firstTurn }),
  };
}
