import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { parseTranscript, type Transcript } from '../../workspace/formats/transcript.ts';
import { parseDocument } from '../../workspace/markdown/document.ts';
import { type SourceLine, type ZoneClock, asRecord, asText, asTimeMs, splitLines } from './lines.ts';
import type { ImportedPiece, ImportedTurn, Tally } from './port.ts';
import { messageKey } from './session-draft.ts';
import { parseJson } from '../../model/records.ts';

/** Sessions may be interleaved in a file; those that are open are held until there is this much. */
const MAX_HELD_CHARACTERS = 32 * 1024 * 1024;

const ROLES: Readonly<Record<string, ImportedTurn['role']>> = {
  user: 'user',
  human: 'user',
  agent: 'agent',
  assistant: 'agent',
  model: 'agent',
  ai: 'agent',
  system: 'system',
  tool: 'tool',
};

/** `2026-02-16T18:45:00`, with or without seconds and zone; a bare day stands for its start. */
const TIME = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/iu;

interface Held {
  readonly turns: ImportedTurn[];
  readonly keys: number[];
  readonly started: string;
  ended: string;
}

export interface TranscriptSource {
  /** The name of the file, for messages and for sessions without an id. */
  readonly name: string;
  readonly lines: AsyncIterable<readonly SourceLine[]> | Iterable<readonly SourceLine[]>;
}

/** Whether a text is a Markdown transcript rather than JSON lines. */
export function isMarkdown(text: string): boolean {
  return !text.trimStart().startsWith('{');
}

/** Reads JSON lines `{session, time, role, name?, text}`: any number of sessions in any order. */
export class TranscriptLines {
  readonly #clock: ZoneClock;
  readonly #tally: Tally;
  readonly #isKnown: (key: number) => boolean;
  readonly #repeats = new Map<number, number>();
  #held = new Map<string, Held>();
  #characters = 0;
  #lastTimes = new Map<string, string>();

  constructor(clock: ZoneClock, tally: Tally, isKnown: (key: number) => boolean) {
    this.#clock = clock;
    this.#tally = tally;
    this.#isKnown = isKnown;
  }

  async *read(source: TranscriptSource): AsyncGenerator<ImportedPiece> {
    for await (const lines of source.lines) {
      for (const line of lines) this.#readLine(line, source.name);
      if (this.#characters > MAX_HELD_CHARACTERS) yield* this.#take();
    }
    yield* this.#take();
  }

  #readLine({ text }: SourceLine, name: string): void {
    const line = text === undefined ? undefined : asRecord(parseJson(text));
    if (line === undefined) {
      this.#tally.add('line', 'not a JSON object');
      return;
    }
    const session = asText(line['session']) ?? (typeof line['session'] === 'number' ? String(line['session']) : name);
    const role = ROLES[asText(line['role'])?.toLowerCase() ?? ''];
    const words = asText(line['text']) ?? asText(line['content']);
    const given = line['time'] ?? line['timestamp'];
    const time = given === undefined ? this.#lastTimes.get(session) : timeText(given);
    if (role === undefined) this.#tally.add('line', 'its role is not user, agent, system or tool');
    else if (words === undefined || words.trim() === '') this.#tally.add('line', 'it has no text');
    else if (time === undefined && TIME.test(asText(given) ?? '')) {
      this.#tally.add('line', 'its time does not exist, such as February 31, or lies before 1970');
    } else if (time === undefined || !TIME.test(time)) {
      this.#tally.add('line', 'it has no time such as "time": "2026-02-16T18:45:00Z"');
    } else this.#add(session, { time, role, words, name: asText(line['name']) });
  }

  #add(
    session: string,
    said: { time: string; role: ImportedTurn['role']; words: string; name: string | undefined },
  ): void {
    const { time, role, words, name } = said;
    this.#lastTimes.set(session, time);
    const identity = ['transcript', session, time, role, name ?? '', words].join('\0');
    // The same words twice in one minute are two turns.
    const first = messageKey(identity);
    const repeats = this.#repeats.get(first) ?? 0;
    this.#repeats.set(first, repeats + 1);
    const key = repeats === 0 ? first : messageKey(`${identity}\0${repeats}`);
    if (this.#isKnown(key)) return;
    const wall = this.#wallTime(time);
    let held = this.#held.get(session);
    if (held === undefined) {
      held = { turns: [], keys: [], started: wall.stamp, ended: wall.stamp };
      this.#held.set(session, held);
    }
    const speaker = name === undefined ? {} : { name };
    held.turns.push({ date: wall.date, time: wall.time, role, ...speaker, parts: [{ kind: 'text', text: words }] });
    held.keys.push(key);
    held.ended = wall.stamp;
    this.#characters += words.length;
  }

  /** A time without a zone is what the clock on the wall showed, and stays that. */
  #wallTime(time: string): { readonly date: string; readonly time: string; readonly stamp: string } {
    const [, date = '', clock = '00:00', seconds = '00', zone] = TIME.exec(time) ?? [];
    if (zone === undefined) return { date, time: clock, stamp: `${date}T${clock}:${seconds}` };
    return this.#clock.at(Date.parse(time.replace(' ', 'T').replace(/([+-]\d{2})(\d{2})$/u, '$1:$2')));
  }

  *#take(): Generator<ImportedPiece> {
    for (const [session, held] of this.#held) {
      yield {
        ...FOREIGN,
        origin: `transcript:${session}`,
        topic: undefined,
        timezone: this.#clock.zone,
        started: held.started,
        ended: held.ended,
        endedMs: Date.parse(held.ended),
        turns: held.turns,
        keys: held.keys,
      };
    }
    this.#held = new Map();
    this.#characters = 0;
  }
}

/** A time as it was written, so that one without a zone stays what it is; undefined for what is none. */
function timeText(value: unknown): string | undefined {
  const timeMs = asTimeMs(value);
  if (timeMs === undefined) return undefined;
  return asText(value) ?? new Date(timeMs).toISOString();
}

/** A transcript handed over may be any person's conversation, so it is not taken for the user's own. */
const FOREIGN = {
  channel: 'transcript',
  model: undefined,
  tags: undefined,
  project: undefined,
  trust: 'import',
  position: undefined,
} as const;

/** The lines of a text that was given as a whole. */
export function* linesOf(text: string): Generator<readonly SourceLine[]> {
  yield splitLines(text);
}

/** Reads one Markdown transcript as DESIGN §3 has it. */
export function readMarkdownTranscript(
  text: string,
  name: string,
  zone: string,
  isKnown: (key: number) => boolean,
): ImportedPiece {
  const transcript = parseTranscript(parseDocument(text));
  const { frontmatter } = transcript;
  if (transcript.turns.length === 0) {
    throw new MnemeError('usage', `${name} has no turns.`, {
      hint: 'A turn begins with a heading such as `## 18:45 — user (Lea)`; JSON lines {session, time, role, text} work too.',
    });
  }
  if (transcript.turns.some(({ date }) => date === '')) {
    throw new MnemeError('usage', `${name} does not tell the day its turns were on.`, {
      hint: 'Put `started: 2026-02-16T18:45:00Z` into its frontmatter, or a line `## 2026-02-16` before the first turn.',
    });
  }
  const session = frontmatter.session_id ?? path.basename(name).replace(/\.md$/iu, '');
  const { turns, keys } = newTurns(transcript, session, isKnown);
  const first = turns[0] ?? transcript.turns[0];
  const last = transcript.turns.at(-1);
  const isWhole = turns.length === transcript.turns.length;
  return {
    ...FOREIGN,
    origin: `transcript:${session}`,
    channel: frontmatter.channel ?? FOREIGN.channel,
    model: frontmatter.model,
    topic: frontmatter.topic ?? transcript.title,
    tags: frontmatter.tags,
    timezone: frontmatter.timezone ?? zone,
    started: isWhole && frontmatter.started !== undefined ? frontmatter.started : `${first?.date}T${first?.time}`,
    ended: frontmatter.ended ?? `${last?.date}T${last?.time}`,
    endedMs: Date.parse(frontmatter.ended ?? `${last?.date}T${last?.time}`),
    turns,
    keys,
  };
}

function newTurns(
  transcript: Transcript,
  session: string,
  isKnown: (key: number) => boolean,
): { readonly turns: ImportedTurn[]; readonly keys: number[] } {
  const turns: ImportedTurn[] = [];
  const keys: number[] = [];
  for (const { id, startLine: _start, endLine: _end, ...turn } of transcript.turns) {
    const key = messageKey(`transcript\0${session}\0${id}\0${turn.date} ${turn.time}\0${JSON.stringify(turn.parts)}`);
    if (isKnown(key)) continue;
    turns.push(turn);
    keys.push(key);
  }
  return { turns, keys };
}
