import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import { newItemId } from '../model/ids.ts';
import { isScope } from '../model/provenance.ts';
import { shorten } from '../model/text.ts';
import type { Clock } from '../platform/clock.ts';
import type { Random } from '../platform/random.ts';
import { StateDatabase } from '../platform/sqlite.ts';
import { stampText } from '../workspace/known-files.ts';
import { holdLock } from '../workspace/lock.ts';
import { LiveTranscript, type TranscriptDoor } from '../workspace/transcripts.ts';
import { refuseSecretId } from '../workspace/safety/clean-name.ts';
import { findEarlierParts, type EarlierParts } from './finished-transcripts.ts';
import {
  countUnreadable,
  liveLogFile,
  readLastLiveTurn,
  readLiveLines,
  setAsideUnreadable,
  turnNumber,
  type LiveTurn,
} from './live-turn.ts';
import { OpenSession, type FinishedPart, type PartLimits } from './open-session.ts';
import { PrivateSessions } from './private-sessions.ts';
import { SessionBuffers, type SessionBuffer } from './session-buffers.ts';
import { type SessionDetails, type SessionRecord, SessionRecords, cleanDetails } from './session-record.ts';

/** An open session that was quiet for so long has ended: the program crashed, or its user went away. */
export const IDLE_MS = 6 * 3_600_000;

export interface SessionsHome extends TranscriptDoor {
  readonly clock: Clock;
  readonly random: Random;
  readonly timeZone: string;
  /** Called when the wait for a lock begins, and when the lock is held. */
  readonly onLock?: ((state: 'waiting' | 'held') => void) | undefined;
  /** Replaceable for tests. */
  readonly partLimits?: PartLimits | undefined;
}

/**
 * Half a megabyte is read, indexed and rendered in a fraction of the time a hook has; few conversations of a day say
 * as much.
 */
const PART_LIMITS: PartLimits = { bytes: 512 * 1024, turns: 1000 };

/** Where a session's numbering goes on. */
export type Continuation = Pick<EarlierParts, 'parts' | 'turns'>;

export interface FinishedSession extends FinishedPart {
  readonly session: string;
}

export interface StartedRecord extends SessionRecord {
  /** Whether there was a session of this id, open or ended. */
  readonly isResumed: boolean;
}

export interface PeekedSession {
  readonly record: SessionRecord | undefined;
  readonly turns: readonly LiveTurn[];
  /** Lines of its log that nobody can read; they are kept beside it. */
  readonly unreadable: number;
}

interface ResumedSession {
  readonly record: SessionRecord;
  readonly written?: FinishedPart | undefined;
}

/** Session ids become file names, and part of the ids of turns. */
const SESSION_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/**
 * The conversations of a home that are going on. A turn is durable when it is acknowledged, whoever appends: every
 * process opens the log anew under the lock, because a log remembers where it ends.
 */
export class Sessions {
  readonly #home: SessionsHome;
  readonly #records: SessionRecords;
  readonly #buffers: SessionBuffers;
  readonly #private: PrivateSessions;
  /** The state of each log when we last left it with all its lines readable. */
  readonly #checkedLogs = new Map<string, string>();
  #lock: StateDatabase | undefined;

  constructor(home: SessionsHome) {
    this.#home = home;
    this.#records = new SessionRecords(home.fs, home.paths.journal);
    this.#buffers = new SessionBuffers(home.fs, home.paths.journal);
    this.#private = new PrivateSessions(home.fs, home.paths.journal);
  }

  /** Begins a session, or goes on with one that is open or was ended. */
  async start(details: SessionDetails = {}, id?: string, mustBeNew = false): Promise<StartedRecord> {
    // Before it is looked up: a name that is too long for a file would fail there with the system's words.
    if (id !== undefined) await this.#checkId(id);
    const session = id ?? `ses_${newItemId((length) => this.#home.random.bytes(length))}`;
    const wasOpen = id !== undefined && this.isOpen(id);
    const begin = async (open: OpenSession): Promise<StartedRecord> => {
      if (!open.isResumed || !mustBeNew) return { ...open.record, isResumed: open.isResumed };
      // A session opened only to find this out is closed again; a part without turns leaves nothing behind.
      if (!wasOpen) await open.finish();
      throw new MnemeError('conflict', `There is a session ${session} already.`, {
        hint: 'Choose another id, or none; without mustBeNew this one is gone on with.',
      });
    };
    return this.exclusively(session, details, begin, id === undefined);
  }

  /** Whether nothing of the session is kept. */
  isPrivate(session: string): boolean {
    return this.#private.has(session);
  }

  /** Keeps nothing of the session from now on, and drops what its live log holds; transcripts written before stay. */
  async makePrivate(session: string, details: SessionDetails = {}): Promise<StartedRecord> {
    await this.#checkId(session);
    // Before the log goes: a crash in between must not leave the session an ordinary one.
    this.#private.add(session);
    return this.exclusively(session, details, async (open) => {
      await open.discard();
      return { ...open.record, isResumed: open.isResumed };
    });
  }

  /** Whether the session is open now. */
  isOpen(session: string): boolean {
    return this.#records.find(session) !== undefined || this.list().includes(session);
  }

  /** The parts of a session that raw/ already holds. */
  findEarlier(session: string): EarlierParts | undefined {
    return findEarlierParts(this.#home.fs, this.#home.paths.repositories.raw.workTree, session);
  }

  /** Every open session, also those nothing was said in yet. */
  list(): string[] {
    return [...new Set([...this.#records.list(), ...LiveTranscript.list(this.#home)])].sort();
  }

  /** Reads the state of an open session without blocking other processes. */
  peek(session: string): PeekedSession {
    const logFile = this.#logFile(session);
    const { turns, unreadable } = readLiveLines(this.#home.fs, logFile);
    const count = countUnreadable(this.#home.fs, logFile, unreadable);
    return { record: this.#records.find(session), turns, unreadable: count };
  }

  /** Reads the record of an open session, but not its turns. */
  find(session: string): SessionRecord | undefined {
    return this.#records.find(session);
  }

  /** Runs something while nobody else appends to the session or ends it; opens the session when it is not open. */
  async exclusively<T>(
    session: string,
    details: SessionDetails,
    body: (open: OpenSession) => Promise<T>,
    continues: Continuation | boolean = false,
  ): Promise<T> {
    await this.#checkId(session);
    return this.#locked(() => this.#openLocked(session, details, body, continues));
  }

  /** Before anything is named after it. */
  async #checkId(session: string): Promise<void> {
    assertSessionId(session);
    await refuseSecretId(this.#home.redactor, session, 'id of the session');
  }

  async #openLocked<T>(
    session: string,
    details: SessionDetails,
    body: (open: OpenSession) => Promise<T>,
    continues: Continuation | boolean = false,
  ): Promise<T> {
    await this.#checkLog(session);
    const known = this.#records.find(session);
    const { record, written }: ResumedSession =
      known === undefined ? { record: await this.#begin(session, details, continues) } : await this.#resume(known);
    const isResumed = known !== undefined || record.firstTurn > 1;
    const open = this.#opened(record, { written, isResumed, isPrivate: this.isPrivate(session) });
    try {
      await open.learn(await this.#known(session, details));
      return await body(open);
    } finally {
      await open.close();
      this.#noteLog(session);
    }
  }

  /** A log nobody else has written to since we did needs no second look: reading all of it for every turn adds up. */
  async #checkLog(session: string): Promise<void> {
    const stamp = this.#logStamp(session);
    if (stamp !== undefined && this.#checkedLogs.get(session) === stamp) return;
    await setAsideUnreadable(this.#home.fs, this.#logFile(session));
  }

  #noteLog(session: string): void {
    const stamp = this.#logStamp(session);
    if (stamp === undefined) this.#checkedLogs.delete(session);
    else this.#checkedLogs.set(session, stamp);
  }

  #logStamp(session: string): string | undefined {
    const stamp = this.#home.fs.stamp(this.#logFile(session));
    return stamp === undefined ? undefined : stampText(stamp);
  }

  #opened(
    record: SessionRecord,
    found: { readonly written: FinishedPart | undefined; readonly isResumed: boolean; readonly isPrivate: boolean },
  ): OpenSession {
    const { timeZone, partLimits: limits = PART_LIMITS } = this.#home;
    const logFile = this.#logFile(record.session);
    const parts = { door: this.#home, records: this.#records, buffers: this.#buffers, timeZone, limits };
    return new OpenSession({ ...parts, logFile, ...found }, record);
  }

  /** The digest that background work reads instead of the session: what was said and not processed yet. */
  async exportBuffer(session: string): Promise<SessionBuffer | undefined> {
    assertSessionId(session);
    const { record, turns } = this.peek(session);
    return record === undefined ? undefined : this.#buffers.write(record, turns);
  }

  /** Exports once so much was said that reading it is worth somebody's while. */
  async exportBufferSometimes(session: string): Promise<void> {
    if (this.#buffers.isDue(session, this.lastTurnNumber(session))) await this.exportBuffer(session);
  }

  findBuffer(session: string): SessionBuffer | undefined {
    assertSessionId(session);
    return this.#buffers.find(session);
  }

  /** The number of the last turn that was processed; 0 when nothing was. Survives the session's end. */
  processedUpTo(session: string): number {
    assertSessionId(session);
    return this.#buffers.processedUpTo(session);
  }

  /** Never goes back: what was processed stays so. */
  async markProcessed(session: string, turn: number): Promise<void> {
    assertSessionId(session);
    await this.#locked(() => this.#buffers.markProcessed(session, turn));
  }

  /** Undefined when the session is not open. */
  async end(session: string): Promise<FinishedSession | undefined> {
    assertSessionId(session);
    if (!this.isOpen(session)) return undefined;
    return this.exclusively(session, {}, async (open) => ({ session, ...(await open.finish()) }));
  }

  /** Notes that a session's program has ended it: if `end` does not come to it, the next `closeIdle` does. */
  noteEnd(session: string): void {
    assertSessionId(session);
    this.#records.noteEnd(session);
  }

  /** The session goes on after all. */
  forgetEnd(session: string): void {
    assertSessionId(session);
    this.#records.forgetEnd(session);
  }

  /** Ends sessions that were to be ended before, then those in which nothing has happened for so long, while time is left. */
  async closeIdle(idleMs: number, untilMs = Infinity): Promise<FinishedSession[]> {
    const { clock } = this.#home;
    const finished: FinishedSession[] = [];
    const open = this.list();
    for (const session of this.#records.listEnded()) if (!open.includes(session)) this.#records.forgetEnd(session);
    const ended = open.filter((session) => this.#records.isEnded(session));
    for (const session of new Set([...ended, ...open])) {
      if (clock.now() >= untilMs) break;
      if (!this.#isDue(session, idleMs)) continue;
      const done = await this.#locked(async () =>
        // Another process may have continued or ended it while this one waited for the lock.
        this.isOpen(session) && this.#isDue(session, idleMs)
          ? this.#openLocked(session, {}, async (one) => ({ session, ...(await one.finish()) }))
          : undefined,
      );
      if (done !== undefined) finished.push(done);
    }
    return finished;
  }

  /** When something was last written of it; the times of turns may lie long before. */
  lastActiveMs(session: string): number | undefined {
    const stamp = this.#home.fs.stamp(this.#logFile(session));
    const logMs = stamp === undefined ? undefined : Number(stamp.mtimeNs / 1_000_000n);
    const recordMs = this.#records.writtenMs(session);
    return logMs === undefined || recordMs === undefined ? (logMs ?? recordMs) : Math.max(logMs, recordMs);
  }

  /** Of an open session; 0 before anything was said. */
  lastTurnNumber(session: string): number {
    const last = readLastLiveTurn(this.#home.fs, this.#logFile(session));
    return last === undefined ? (this.#records.find(session)?.firstTurn ?? 1) - 1 : turnNumber(last);
  }

  #logFile(session: string): string {
    return liveLogFile(this.#home.paths.journal, session);
  }

  #isDue(session: string, idleMs: number): boolean {
    return this.#records.isEnded(session) || this.#isIdle(session, idleMs);
  }

  /** A time that far ahead tells of a clock that was wrong then; waiting for it to come true could take years. */
  #isIdle(session: string, idleMs: number): boolean {
    const lastMs = this.lastActiveMs(session);
    return lastMs !== undefined && Math.abs(this.#home.clock.now() - lastMs) >= idleMs;
  }

  close(): void {
    this.#lock?.close();
    this.#lock = undefined;
  }

  /**
   * Goes on with an open session. One whose end was interrupted may be in raw/ already, as far as it was when it ended:
   * what follows then is the next part.
   */
  async #resume(record: SessionRecord): Promise<ResumedSession> {
    const { session } = record;
    const earlier = record.isEnding === true ? this.findEarlier(session) : undefined;
    if (earlier === undefined) return { record };
    const { dropped, kept } = await LiveTranscript.drop(this.#home, session, earlier.holds);
    // The transcript may still be on its way to raw/: whatever completes it comes before the next end.
    if (dropped === 0 && kept > 0) return { record };
    const { isEnding: _, changes: __, ...rest } = record;
    const topic = record.topic ?? earlier.frontmatter.topic;
    const user = record.user ?? earlier.user;
    const resumed = { ...rest, topic, user, part: earlier.parts + 1, firstTurn: earlier.turns + 1 };
    await this.#records.write(resumed);
    return { record: resumed, written: { path: earlier.paths.at(-1), turns: earlier.turns - record.firstTurn + 1 } };
  }

  /** `true` for a session that cannot have been there before: looking for its transcripts can be spared. */
  async #begin(session: string, details: SessionDetails, continues: Continuation | boolean): Promise<SessionRecord> {
    // A log without a record: only raw/ tells which of its turns were finished.
    const hasLog = this.#home.fs.exists(this.#logFile(session));
    const found = hasLog || continues === false ? this.findEarlier(session) : undefined;
    if (hasLog && found !== undefined) await LiveTranscript.drop(this.#home, session, found.holds);
    const before = typeof continues === 'object' && !hasLog ? continues : found;
    const { scope: stated = '', ...told } = found?.frontmatter ?? {};
    const record: SessionRecord = {
      channel: told.channel,
      model: told.model,
      project: told.project,
      topic: told.topic,
      tags: told.tags,
      origin: told.imported_from,
      user: found?.user,
      ...withoutUndefined(await this.#known(session, details)),
      ...(isScope(stated) && stated !== 'shared' ? { scope: stated } : {}),
      session,
      startedMs: this.#home.clock.now(),
      part: (before?.parts ?? 0) + 1,
      firstTurn: (before?.turns ?? 0) + 1,
    };
    await this.#records.write(record);
    return record;
  }

  /** Drops what a private session is about, which must not be kept. */
  #known(session: string, details: SessionDetails): Promise<SessionDetails> {
    const isPrivate = this.isPrivate(session);
    return cleanDetails(this.#home.redactor, isPrivate ? { ...details, topic: undefined, tags: undefined } : details);
  }

  #locked<T>(body: () => Promise<T>): Promise<T> {
    this.#lock ??= new StateDatabase(
      path.join(this.#home.paths.state, 'sessions.db'),
      'CREATE TABLE IF NOT EXISTS session (id INTEGER)',
    );
    this.#home.onLock?.('waiting');
    return holdLock(this.#lock.connection, 'session', this.#home, () => {
      this.#home.onLock?.('held');
      return body();
    });
  }
}

function withoutUndefined<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as Partial<T>;
}

export function assertSessionId(session: string): void {
  if (SESSION_ID.test(session)) return;
  throw new MnemeError('usage', `"${shorten(session)}" cannot be the id of a session.`, {
    hint: 'Use letters, digits, dot, dash and underscore, at most 64 of them.',
  });
}
