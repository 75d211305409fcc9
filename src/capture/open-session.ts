import { localTime } from '../model/time.ts';
import { LiveTranscript, type TranscriptDoor } from '../workspace/transcripts.ts';
import { cleanTurn } from './finished-transcripts.ts';
import { readLastLiveTurn, turnNumber, type LiveTurn, type NewTurn } from './live-turn.ts';
import { sessionFrontmatter, slugSource, topicOf } from './session-frontmatter.ts';
import type { SessionRecord, SessionRecords } from './session-record.ts';

export interface OpenSessionParts {
  readonly door: TranscriptDoor;
  readonly records: SessionRecords;
  readonly timeZone: string;
  /** Where the live log is, or will be. */
  readonly logFile: string;
  /** The transcript of this session whose writing was not known to be complete, when there is one. */
  readonly written?: FinishedPart | undefined;
}

export interface FinishedPart {
  /** The transcript in raw/; undefined when nothing was said. */
  readonly path: string | undefined;
  readonly turns: number;
}

/** One session for as long as its lock is held: nobody else appends to it or ends it meanwhile. */
export class OpenSession {
  readonly #parts: OpenSessionParts;
  #live: LiveTranscript | undefined;
  #record: SessionRecord;
  #turns: LiveTurn[] | undefined;
  #last: LiveTurn | undefined;

  constructor(parts: OpenSessionParts, record: SessionRecord) {
    this.#parts = parts;
    this.#record = record;
  }

  get record(): SessionRecord {
    return this.#record;
  }

  /** What was said so far in this part of the session. */
  turns(): readonly LiveTurn[] {
    // Opening a log makes it, and only to look is no reason for that.
    this.#turns ??= this.#hasLog() ? this.#log().turns() : [];
    return this.#turns;
  }

  get nextNumber(): number {
    this.#last ??=
      this.#turns === undefined ? readLastLiveTurn(this.#parts.door.fs, this.#parts.logFile) : this.#turns.at(-1);
    return this.#last === undefined ? this.#record.firstTurn : turnNumber(this.#last) + 1;
  }

  /** Numbers the turn and writes it, secrets taken out; durable when the promise resolves. */
  async append(turn: NewTurn): Promise<LiveTurn> {
    const { timeMs, role, parts, name, captured } = turn;
    const { date, time } = localTime(timeMs, this.#parts.timeZone);
    const speaker = name ?? (role === 'user' ? this.#record.user : undefined);
    const clean = await cleanTurn(this.#parts.door.redactor, {
      id: `t${this.nextNumber}`,
      date,
      time,
      role,
      ...(speaker === undefined ? {} : { name: speaker }),
      parts,
    });
    const kept: LiveTurn = { ...clean, timeMs, ...(captured === undefined ? {} : { captured }) };
    await this.#log().append(kept);
    this.#turns?.push(kept);
    this.#last = kept;
    return kept;
  }

  /** Learns what was not known when the session began, such as its model. */
  async learn(known: Partial<Pick<SessionRecord, 'channel' | 'model' | 'project' | 'user' | 'topic'>>): Promise<void> {
    const learned = Object.entries(known).filter(
      ([key, value]) => value !== undefined && this.#record[key as keyof typeof known] === undefined,
    );
    if (learned.length === 0) return;
    this.#record = { ...this.#record, ...Object.fromEntries(learned) };
    await this.#parts.records.write(this.#record);
  }

  /** Writes the transcript and forgets the log; without turns there is nothing to keep. */
  async finish(): Promise<FinishedPart> {
    const turns = this.turns();
    const { session } = this.#record;
    if (turns.length === 0) {
      await this.close();
      this.#parts.door.fs.remove(this.#parts.logFile);
      this.#parts.records.remove(session);
      return this.#parts.written ?? { path: undefined, turns: 0 };
    }
    this.#record = { ...this.#record, isEnding: true };
    await this.#parts.records.write(this.#record);
    const frontmatter = sessionFrontmatter(this.#record, turns, this.#parts.timeZone);
    const { path } = await this.#log().finish(frontmatter, slugSource(topicOf(this.#record, turns)));
    this.#live = undefined;
    this.#parts.records.remove(session);
    return { path, turns: turns.length };
  }

  async close(): Promise<void> {
    await this.#live?.close();
    this.#live = undefined;
  }

  #hasLog(): boolean {
    return this.#live !== undefined || this.#parts.door.fs.exists(this.#parts.logFile);
  }

  #log(): LiveTranscript {
    this.#live ??= LiveTranscript.open(this.#parts.door, this.#record.session);
    return this.#live;
  }
}
