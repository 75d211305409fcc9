import path from 'node:path';
import type { OpenSession } from '../../capture/open-session.ts';
import { asksForPrivacy } from '../../capture/triggers/detect.ts';
import type { Continuation, Sessions, SessionsHome } from '../../capture/sessions.ts';
import { claudeCode } from '../../exchange/import/claude-code.ts';
import { ImportLedger, type SessionState, type SessionRecord as LedgerRecord } from '../../exchange/import/ledger.ts';
import { type ImportedPiece, type LogFile, type LogFormat, Tally } from '../../exchange/import/port.ts';
import { isUnchanged, readLog } from '../../exchange/import/read-log.ts';
import { sessionIdOf } from '../../exchange/import/session-writer.ts';
import { ZoneClock, logFile, logId } from '../../exchange/import/lines.ts';
import { MnemeError } from '../../model/errors.ts';
import { StateDatabase } from '../../platform/sqlite.ts';
import { momentOf } from '../../search-index/chunk/dates.ts';
import { holdLock } from '../../workspace/lock.ts';
import { existsPacked } from '../../workspace/packed.ts';
import { originOfLog } from './session-of-log.ts';
import { z } from 'zod';
import type { LiveTurn } from '../../capture/live-turn.ts';

export interface CaptureRequest {
  /** The log of one session. */
  readonly file: string;
  readonly format?: LogFormat | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface CaptureResult {
  readonly session: string;
  /** Turns added by this capture. */
  readonly turns: number;
}

/**
 * Adds to a live session what its program's log says since the last capture. Everything is noted in the record of
 * imports as well, so that a later import finds it known; the note stands in the live log first, because a crash may
 * come between the two.
 */
export async function captureLog(
  home: SessionsHome,
  sessions: Sessions,
  request: CaptureRequest,
): Promise<CaptureResult> {
  const { file, format = claudeCode } = request;
  const log = logFile(file, logId(file));
  if (log === undefined) {
    throw new MnemeError('not-found', `There is no session log ${file}.`, {
      hint: 'The agent writes it with its first answer; nothing has to be done.',
    });
  }
  const { paths } = home;
  const lock = new StateDatabase(path.join(paths.state, 'import.db'), 'CREATE TABLE IF NOT EXISTS import (id INTEGER)');
  try {
    home.onLock?.('waiting');
    return await holdLock(lock.connection, 'import', home, () => {
      home.onLock?.('held');
      return new LogCapture(home, sessions, log, request, format).run();
    });
  } finally {
    lock.close();
  }
}

class LogCapture {
  readonly #home: SessionsHome;
  readonly #sessions: Sessions;
  readonly #log: LogFile;
  readonly #request: CaptureRequest;
  readonly #format: LogFormat;
  readonly #ledger: ImportLedger;
  readonly #origin: string;
  readonly #session: string;

  constructor(home: SessionsHome, sessions: Sessions, log: LogFile, request: CaptureRequest, format: LogFormat) {
    const raw = home.paths.repositories.raw.workTree;
    this.#home = home;
    this.#sessions = sessions;
    this.#log = log;
    this.#request = request;
    this.#format = format;
    this.#origin = originOfLog(log.path, format.name);
    this.#session = sessionIdOf(this.#origin);
    this.#ledger = new ImportLedger(home.paths.journal, home.fs, (name) => existsPacked(home.fs, path.join(raw, name)));
  }

  async run(): Promise<CaptureResult> {
    this.#ledger.refresh();
    const nothing = { session: this.#session, turns: 0 };
    if (this.#sessions.isPrivate(this.#session)) return nothing;
    if (this.#isOpen) await this.#settle();
    const before = this.#ledger.session(this.#origin);
    if (isUnchanged(this.#log, before?.position)) return nothing;
    let turns = 0;
    for await (const piece of this.#read(before)) {
      if (piece.turns.some((turn) => asksForPrivacy(turn, undefined))) {
        await this.#sessions.makePrivate(this.#session);
        return nothing;
      }
      turns += await this.#take(piece);
    }
    return { session: this.#session, turns };
  }

  get #isOpen(): boolean {
    return this.#sessions.isOpen(this.#session);
  }

  #read(before: SessionState | undefined): AsyncGenerator<ImportedPiece> {
    return readLog(this.#log, {
      format: this.#format,
      clock: new ZoneClock(this.#home.timeZone),
      tally: new Tally(),
      isKnown: (key) => this.#ledger.isKnown(key),
      signal: this.#request.signal,
      before,
    });
  }

  /** Tells the record of imports what a crash kept from it, and closes a part that an import has gone on from. */
  async #settle(): Promise<void> {
    await this.#sessions.exclusively(this.#session, {}, async (open) => {
      const { last, interrupted } = findCaptured(open.turns());
      const captured = open.nextNumber - 1 - interrupted;
      const known = this.#ledger.session(this.#origin);
      const isTold = last === undefined || (known?.position?.offset ?? -1) >= (last.position?.offset ?? 0);
      if (!isTold) {
        // Where the whole record was lost, earlier captures and parts count as well.
        const parts = known === undefined ? open.record.part : last.parts;
        await this.#record({ ...last, parts, turns: Math.max(0, captured - (known?.turns ?? 0)) });
      }
      const state = this.#ledger.session(this.#origin);
      // An import took turns that come after these; a transcript numbers its turns one by one.
      if (state !== undefined && state.turns > captured) await open.finish();
    });
  }

  async #take(piece: ImportedPiece): Promise<number> {
    // The position in an empty stretch is recorded only once there are turns.
    if (piece.turns.length === 0) return 0;
    const state = this.#ledger.session(this.#origin);
    const told: Continuation = state ?? { parts: 0, turns: 0 };
    // More than the record of imports knows is in raw/ when another machine captured it, or when a session was ended
    // after a capture that was interrupted.
    const earlier = this.#isOpen ? undefined : this.#sessions.findEarlier(this.#session);
    const continues = earlier !== undefined && earlier.turns > told.turns ? earlier : told;
    const { channel, model, project } = piece;
    const details = { channel, model, project, topic: piece.topic, origin: this.#origin };
    return this.#sessions.exclusively(
      this.#session,
      details,
      async (open) => {
        const { record, added } = await this.#append(open, piece, told);
        await this.#record(record);
        return added;
      },
      continues,
    );
  }

  async #append(
    open: OpenSession,
    piece: ImportedPiece,
    told: Continuation,
  ): Promise<{ readonly record: CapturedRecord; readonly added: number }> {
    const { last, interrupted } = findCaptured(open.turns());
    // Turns the home holds already and the record of imports does not know: the piece begins with them.
    const held = last === undefined ? Math.max(0, open.nextNumber - 1 - told.turns) : interrupted;
    const known = Math.min(held, piece.turns.length);
    const fresh = piece.turns.slice(known);
    const record = (): CapturedRecord => ({
      origin: this.#origin,
      // At the end of the log both agree again, also where another machine cut the turns differently.
      turns: (piece.position?.isComplete === true ? held : known) + fresh.length,
      parts: countNewParts(open, told, { isFirst: last === undefined, hasFresh: fresh.length > 0 }),
      keys: [...piece.keys],
      ...(open.record.topic === undefined ? {} : { topic: open.record.topic }),
      ...(piece.position === undefined ? {} : { position: piece.position }),
    });
    for (const [index, { role, parts, name, date, time }] of fresh.entries()) {
      // Before the record is made, which counts the parts.
      await open.makeRoom();
      const timeMs = momentOf(date, time, this.#home.timeZone) ?? piece.endedMs;
      const isLast = index === fresh.length - 1;
      await open.append({ role, parts, name, timeMs, ...(isLast ? { captured: record() } : {}) });
    }
    return { record: record(), added: fresh.length };
  }

  async #record(record: CapturedRecord): Promise<void> {
    const { clock, random } = this.#home;
    const batch = `${clock.now()}-${random.number().toString(36).slice(2, 8)}-capture`;
    await this.#ledger.announce(batch, [toLedger(record)]);
    await this.#ledger.confirm(batch, [toLedger(record)]);
  }
}

/** Transcripts of the session that the record of imports does not count yet; a part still open counts once it has turns. */
function countNewParts(
  open: OpenSession,
  told: Continuation,
  { isFirst, hasFresh }: { readonly isFirst: boolean; readonly hasFresh: boolean },
): number {
  if (hasFresh) return Math.max(0, open.record.part - told.parts);
  return isFirst ? Math.max(0, open.record.part - 1 - told.parts) : 0;
}

const recordSchema = z.object({
  origin: z.string(),
  turns: z.number().int(),
  parts: z.number().int(),
  keys: z.array(z.number()),
  topic: z.string().optional(),
  position: z
    .object({
      size: z.number(),
      mtimeMs: z.number(),
      offset: z.number(),
      tail: z.string(),
      isComplete: z.boolean().optional(),
    })
    .optional(),
});

/** The import record of a capture. It is part of the turn that completed it, in the same write. */
type CapturedRecord = z.infer<typeof recordSchema>;

function toLedger(record: CapturedRecord): LedgerRecord {
  return { ...record, path: undefined };
}

interface CapturedState {
  /** The last capture that was completed, if there was one. */
  readonly last: CapturedRecord | undefined;
  /** Turns behind it: of a capture that was interrupted, to be read again and not to be written again. */
  readonly interrupted: number;
}

function findCaptured(turns: readonly LiveTurn[]): CapturedState {
  for (let index = turns.length - 1; index >= 0; index -= 1) {
    const last = recordSchema.safeParse(turns[index]?.captured).data;
    if (last !== undefined) return { last, interrupted: turns.length - 1 - index };
  }
  return { last: undefined, interrupted: turns.length };
}
