import { createHash } from 'node:crypto';
import { withoutHandedOver } from '../../judge/handed-over/split.ts';
import type { TurnPart, TurnRole } from '../../workspace/formats/transcript.ts';
import type { ImportedTurn } from './port.ts';
import { describeArguments, describeResult } from './tool-text.ts';
import type { ZoneClock } from './lines.ts';

/** After a pause this long an agent that goes on by itself begins a turn of its own. */
const PAUSE_MS = 30 * 60_000;

/** An agent may work for hours without a word from the user; a turn should still be a passage one can cite. */
const MAX_TURN_CHARACTERS = 8000;

/** Topics longer than a line are not topics. */
const MAX_TOPIC_CHARACTERS = 100;

interface ToolPart {
  readonly kind: 'tool';
  readonly name: string;
  readonly args: string;
  result?: string;
}

interface OpenTurn {
  readonly role: TurnRole;
  readonly name: string | undefined;
  readonly timeMs: number;
  lastMs: number;
  characters: number;
  readonly parts: (Exclude<TurnPart, { kind: 'tool' }> | ToolPart)[];
}

/** Something that was said. */
export interface Utterance {
  readonly role: 'user' | 'agent';
  readonly text: string;
  readonly timeMs: number | undefined;
  /** The message's identity in its log and in copies of it. */
  readonly id: string;
  readonly name?: string | undefined;
  /** Attachments that are not kept, such as an image. */
  readonly attachments?: readonly string[] | undefined;
}

/** A 53-bit hash of a message's identity: short to keep for every message, and without collisions in practice. */
export function messageKey(id: string): number {
  return Number(createHash('sha1').update(id).digest().readBigUInt64BE() >> 11n);
}

export interface DraftOptions {
  readonly clock: ZoneClock;
  /** Stands in where a log tells no time. */
  readonly fallbackMs: number;
  /** Whether a message was imported already, from this log or from one it was copied from. */
  readonly isKnown: (key: number) => boolean;
}

interface TakenTurns {
  readonly turns: readonly ImportedTurn[];
  readonly keys: readonly number[];
  readonly startedMs: number;
  readonly endedMs: number;
}

/** A session as a log's reader has gathered it so far: words become turns, tool calls lines in them. */
export class SessionDraft {
  model: string | undefined;
  project: string | undefined;
  title: string | undefined;
  /** Why nothing of this log is wanted, if so. */
  rejected: string | undefined;
  readonly #options: DraftOptions;
  readonly #tools = new Map<string, ToolPart>();
  #turns: ImportedTurn[] = [];
  #keys: number[] = [];
  #open: OpenTurn | undefined;
  #lastMs: number | undefined;
  /** When the first of the turns held began. */
  #startedMs: number | undefined;
  #firstWords: string | undefined;
  #characters = 0;
  #isReplaying = false;

  constructor(options: DraftOptions) {
    this.#options = options;
  }

  /** Roughly how much text is held. */
  get characters(): number {
    return this.#characters;
  }

  /** The topic of the session: its title, or its first words. */
  get topic(): string | undefined {
    return this.title ?? this.#firstWords;
  }

  say({ role, text, timeMs, id, name, attachments = [] }: Utterance): void {
    const isSilent = text.trim() === '';
    if (isSilent && attachments.length === 0) return;
    const key = messageKey(id);
    if (role === 'user' && !isSilent) this.#firstWords ??= ownFirstLine(text);
    this.#isReplaying = this.#options.isKnown(key);
    if (this.#isReplaying) return;
    this.#keys.push(key);
    const turn = this.#turnFor(role, this.#moment(timeMs), name);
    if (!isSilent) turn.parts.push({ kind: 'text', text });
    for (const path of attachments) turn.parts.push({ kind: 'attachment', path, note: 'not kept' });
    this.#grow(turn, text.length);
  }

  /** A tool call of the agent. */
  call(id: string | undefined, name: string, input: unknown, timeMs: number | undefined): void {
    // In a log copied from another the calls were copied with the words before them.
    if (this.#isReplaying) return;
    const args = this.#withoutProject(describeArguments(input));
    const part: ToolPart = { kind: 'tool', name, args };
    if (id !== undefined) this.#tools.set(id, part);
    const turn = this.#turnFor('agent', this.#moment(timeMs), undefined);
    turn.parts.push(part);
    this.#grow(turn, args.length);
  }

  answer(id: string | undefined, text: string): void {
    const part = id === undefined ? undefined : this.#tools.get(id);
    if (part === undefined || id === undefined) return;
    this.#tools.delete(id);
    part.result = this.#withoutProject(describeResult(text));
    this.#characters += part.result.length;
  }

  /** Everything gathered so far; what follows starts anew. */
  take(): TakenTurns {
    this.#close();
    const endedMs = this.#lastMs ?? this.#options.fallbackMs;
    const taken = { turns: this.#turns, keys: this.#keys, startedMs: this.#startedMs ?? endedMs, endedMs };
    this.#startedMs = undefined;
    this.#turns = [];
    this.#keys = [];
    this.#tools.clear();
    this.#characters = 0;
    return taken;
  }

  /** The agent goes on in its turn; whatever a user says begins another. */
  #turnFor(role: TurnRole, timeMs: number, name: string | undefined): OpenTurn {
    const open = this.#open;
    const goesOn =
      open !== undefined &&
      role === 'agent' &&
      open.role === 'agent' &&
      timeMs - open.lastMs < PAUSE_MS &&
      open.characters < MAX_TURN_CHARACTERS;
    if (goesOn) {
      open.lastMs = timeMs;
      return open;
    }
    this.#close();
    this.#startedMs ??= timeMs;
    this.#open = { role, name, timeMs, lastMs: timeMs, characters: 0, parts: [] };
    return this.#open;
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    const { date, time } = this.#options.clock.at(open.timeMs);
    const name = open.name === undefined ? {} : { name: open.name };
    this.#turns.push({ date, time, role: open.role, ...name, parts: open.parts });
    this.#open = undefined;
  }

  #moment(timeMs: number | undefined): number {
    this.#lastMs = timeMs ?? this.#lastMs ?? this.#options.fallbackMs;
    return this.#lastMs;
  }

  #grow(turn: OpenTurn, characters: number): void {
    turn.characters += characters;
    this.#characters += characters;
  }

  /** Paths inside the project are told from its root: shorter, and the same on every machine. */
  #withoutProject(text: string): string {
    return this.project === undefined || this.project.length < 2 ? text : text.replaceAll(`${this.project}/`, '');
  }
}

/** The first line of what somebody said, short enough for a title. */
/** A pasted text is no heading: undefined where the message is nothing else. */
function ownFirstLine(text: string): string | undefined {
  const line = firstLine(withoutHandedOver(text));
  return line === '' ? undefined : line;
}

export function firstLine(text: string): string {
  const line = text.trim().split('\n', 1)[0]?.replaceAll(/\s+/gu, ' ').trim() ?? '';
  if (line.length <= MAX_TOPIC_CHARACTERS) return line;
  const cut = line.slice(0, MAX_TOPIC_CHARACTERS);
  const lastSpace = cut.lastIndexOf(' ');
  return `${lastSpace > MAX_TOPIC_CHARACTERS / 2 ? cut.slice(0, lastSpace) : cut.toWellFormed()}…`;
}
