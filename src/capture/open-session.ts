import { MnemeError } from '../model/errors.ts';
import { localTime } from '../model/time.ts';
import type { TurnPart } from '../workspace/formats/transcript.ts';
import { LiveTranscript, type TranscriptDoor } from '../workspace/transcripts.ts';
import { cleanTurn } from './finished-transcripts.ts';
import {
  readLastLiveTurn,
  turnNumber,
  unreadableFile,
  type KnowledgeChange,
  type LiveTurn,
  type NewTurn,
} from './live-turn.ts';
import type { SessionBuffers } from './session-buffers.ts';
import { sessionFrontmatter, slugSource, topicOf } from './session-frontmatter.ts';
import type { SessionRecord, SessionRecords } from './session-record.ts';

/** When a part of a conversation is long enough. */
export interface PartLimits {
  readonly bytes: number;
  readonly turns: number;
}

export interface OpenSessionParts {
  readonly door: TranscriptDoor;
  readonly records: SessionRecords;
  readonly buffers: SessionBuffers;
  readonly timeZone: string;
  readonly limits: PartLimits;
  /** Where the live log is, or will be. */
  readonly logFile: string;
  /** Whether there was a session of this id before. */
  readonly isResumed: boolean;
  /** Whether nothing of it is kept. */
  readonly isPrivate: boolean;
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

  get isResumed(): boolean {
    return this.#parts.isResumed;
  }

  /** The turns so far in this part of the session. */
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

  /**
   * Finishes a part that is long enough, so that the next turn begins another: whatever is done for a turn may cost as
   * much as its part is long, and a conversation may go on for weeks.
   */
  async makeRoom(): Promise<void> {
    const { limits, door, logFile } = this.#parts;
    const isFull =
      this.nextNumber - this.#record.firstTurn >= limits.turns || (door.fs.stamp(logFile)?.size ?? 0) >= limits.bytes;
    if (isFull) await this.nextPart();
  }

  /** Numbers the turn and writes it, secrets taken out; durable when the promise resolves. */
  async append(turn: NewTurn): Promise<LiveTurn> {
    if (this.#parts.isPrivate) {
      throw new MnemeError('refused', `Session ${this.#record.session} is private: nothing said in it is kept.`, {
        hint: 'Start another session to have it kept.',
      });
    }
    await this.makeRoom();
    const { timeMs, role, parts, name, tag, changes, captured } = turn;
    const { date, time } = localTime(timeMs, this.#parts.timeZone);
    const speaker = name ?? (role === 'user' ? this.#record.user : undefined);
    const clean = await cleanTurn(this.#parts.door.redactor, {
      id: `t${this.nextNumber}`,
      date,
      time,
      role,
      ...(speaker === undefined ? {} : { name: speaker }),
      ...(tag === undefined ? {} : { tag }),
      parts,
    });
    const kept: LiveTurn = {
      ...clean,
      timeMs,
      ...(this.#record.scope === undefined ? {} : { scope: this.#record.scope }),
      ...(changes === undefined ? {} : { changes }),
      ...(captured === undefined ? {} : { captured }),
    };
    await this.#log().append(kept);
    this.#turns?.push(kept);
    this.#last = kept;
    return kept;
  }

  /** Notes what the conversation changed in the memory: a turn of its own, and a list above the transcript. */
  appendChanges(changes: readonly KnowledgeChange[], timeMs: number): Promise<LiveTurn> {
    const parts = changes.map(({ path, action, summary }): TurnPart => {
      const line = summary?.replaceAll(/\s+/gu, ' ').trim();
      return { kind: 'knowledge', path, action, ...(line === undefined ? {} : { summary: line }) };
    });
    return this.append({ role: 'agent', tag: 'memory', parts, changes, timeMs });
  }

  /** Lists above the transcript what a request in this part changed in the memory. */
  async noteChange({ summary = '', ...change }: KnowledgeChange): Promise<void> {
    const { text } = await this.#parts.door.redactor.redact(summary);
    const noted = text === '' ? change : { ...change, summary: text };
    this.#record = { ...this.#record, changes: [...(this.#record.changes ?? []), noted] };
    await this.#parts.records.write(this.#record);
  }

  /** Learns what was not known when the session began, such as its model. */
  async learn(
    known: Partial<Pick<SessionRecord, 'channel' | 'model' | 'project' | 'user' | 'topic' | 'tags'>>,
  ): Promise<void> {
    const learned = Object.entries(known).filter(
      ([key, value]) => value !== undefined && this.#record[key as keyof typeof known] === undefined,
    );
    if (learned.length === 0) return;
    this.#record = { ...this.#record, ...Object.fromEntries(learned) };
    await this.#parts.records.write(this.#record);
  }

  /** Writes the transcript and forgets the log; without turns there is nothing to keep. */
  async finish(): Promise<FinishedPart> {
    const { door, logFile, records, buffers, written } = this.#parts;
    const { session } = this.#record;
    const part = await this.#writePart();
    if (part === undefined) {
      await this.close();
      door.fs.remove(logFile);
    }
    records.remove(session);
    buffers.remove(session);
    return part ?? written ?? { path: undefined, turns: 0 };
  }

  /** Writes the transcript of what was said so far; what follows goes into the next part. */
  async nextPart(): Promise<FinishedPart> {
    const turns = this.turns();
    const topic = topicOf(this.#record, turns);
    const firstTurn = this.nextNumber;
    const part = await this.#writePart();
    if (part === undefined) return { path: undefined, turns: 0 };
    const { isEnding: _, changes: __, ...rest } = this.#record;
    this.#record = { ...rest, ...(topic === undefined ? {} : { topic }), part: rest.part + 1, firstTurn };
    await this.#parts.records.write(this.#record);
    this.#turns = [];
    this.#last = undefined;
    return part;
  }

  /** Drops what was said in this part, and what the record tells of it. */
  async discard(): Promise<void> {
    const { door, logFile, records, buffers } = this.#parts;
    await this.close();
    door.fs.remove(logFile);
    door.fs.remove(unreadableFile(logFile));
    buffers.remove(this.#record.session);
    const { topic: _, tags: __, changes: ___, ...rest } = this.#record;
    this.#record = rest;
    await records.write(rest);
    this.#turns = [];
    this.#last = undefined;
  }

  async close(): Promise<void> {
    await this.#live?.close();
    this.#live = undefined;
  }

  /** Undefined when nothing was said. Interrupted, it can be told from `isEnding` and done again. */
  async #writePart(): Promise<FinishedPart | undefined> {
    const turns = this.turns();
    if (turns.length === 0) return undefined;
    this.#record = { ...this.#record, isEnding: true };
    await this.#parts.records.write(this.#record);
    const frontmatter = sessionFrontmatter(this.#record, turns, this.#parts.timeZone);
    const { path } = await this.#log().finish(frontmatter, slugSource(topicOf(this.#record, turns)));
    this.#live = undefined;
    return { path, turns: turns.length };
  }

  #hasLog(): boolean {
    return this.#live !== undefined || this.#parts.door.fs.exists(this.#parts.logFile);
  }

  #log(): LiveTranscript {
    this.#live ??= LiveTranscript.open(this.#parts.door, this.#record.session);
    return this.#live;
  }
}
