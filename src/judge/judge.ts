import { openEncoder, type Encoder } from '../encoder/encoder.ts';
import { type Task, findModelFolder } from '../encoder/model-files.ts';
import { findTableFolder, openTable } from '../providers/embeddings/token-table.ts';
import { WordPiece } from '../providers/embeddings/wordpiece.ts';
import { Heads, inputOf, type Span } from './heads.ts';
import { ExampleVectors } from './examples.ts';
import { findNames, joinNames, namesMarked, wordsIn } from './names.ts';

/** The number of tokens read of each text; `training/mneme_model/tasks.py` has the same numbers. */
const TURN_TOKENS = 200;
const BEFORE_TOKENS = 56;
const AFTER_TOKENS = 24;
const SIDE_TOKENS = 96;
const MESSAGE_TOKENS = 160;
const NOTE_TOKENS = 120;
const LONG_TEXT_TOKENS = 510;
/** Each two are read in a pass of their own: more would take longer than the rest of a turn. */
const MAX_NAMES = 8;
/** Stands before a text for whoever speaks, also where the text has no word for them. */
const SPEAKER = 'I';
/** Stand around the earlier and the later of two names whose relation is asked about. */
const FIRST_SIGN = '@';
const SECOND_SIGN = '#';

/** Chances of a task's answers, by their names. */
export type Chances = Readonly<Record<string, number>>;

/** A person's turn as the judge reads it. */
export interface ReadTurn {
  /** The previous speaker and the end of their text; '' without one. */
  readonly before: string;
  /** The beginning of the agent's answer; '' when there is none yet. */
  readonly after: string;
  readonly statements: readonly string[];
}

/** Two names of a text, undefined for whoever speaks, and the chances of what the first is to the second, or `none`. */
export interface JudgedPair {
  readonly subject: string | undefined;
  readonly object: string | undefined;
  readonly chances: Chances;
}

/** A name, undefined for whoever speaks, and the tokens that it is. */
interface PlacedInTokens {
  readonly name: string | undefined;
  readonly start: number;
  readonly end: number;
}

/** A sequence of tokens, and the parts of it that are asked about. */
interface Passage {
  readonly ids: readonly number[];
  readonly spans: readonly Span[];
}

/** The model's judgement of statements, pairs, messages and notes. Each question takes milliseconds. */
export class Judge {
  readonly #encoder: Encoder;
  readonly #heads: Heads;
  readonly #tokenizer: WordPiece;
  readonly #first: number;
  readonly #last: number;
  readonly #packaged: ExampleVectors;
  readonly #examples = new Map<readonly string[], readonly Float32Array[]>();

  constructor(folder: string) {
    this.#encoder = openEncoder(folder);
    this.#heads = new Heads(folder, this.#encoder.manifest);
    this.#tokenizer = new WordPiece(openTable(findTableFolder()).pieces);
    this.#packaged = new ExampleVectors(folder, this.#encoder.manifest);
    this.#first = this.#tokenizer.getId('[CLS]');
    this.#last = this.#tokenizer.getId('[SEP]');
  }

  /** Reads a turn in one pass (a long one in several) and tells of each of its statements what kind of knowledge it is, or `none`; undefined where it has no words. */
  readTurn({ before, after, statements }: ReadTurn): (Chances | undefined)[] {
    const answers: (Chances | undefined)[] = statements.map(() => undefined);
    const opening = [this.#first, ...this.#tokensOf(before, LONG_TEXT_TOKENS).slice(-BEFORE_TOKENS), this.#last];
    opening.push(...this.#tokensOf(after, AFTER_TOKENS), this.#last);
    let waiting: { readonly place: number; readonly tokens: readonly number[] }[] = [];
    let room = TURN_TOKENS;
    const read = (): void => {
      const ids = [...opening];
      const spans = waiting.map(({ tokens }): Span => {
        ids.push(...tokens);
        return [ids.length - tokens.length, ids.length];
      });
      const states = this.#encoder.read([...ids, this.#last]);
      for (const [number, { place }] of waiting.entries()) {
        const input = inputOf(states, spans.slice(number, number + 1));
        answers[place] = this.#answer('keep', input);
      }
      waiting = [];
      room = TURN_TOKENS;
    };
    for (const [place, statement] of statements.entries()) {
      const tokens = this.#tokensOf(statement, TURN_TOKENS);
      if (tokens.length === 0) continue;
      if (tokens.length > room && waiting.length > 0) read();
      waiting.push({ place, tokens });
      room -= tokens.length;
    }
    if (waiting.length > 0) read();
    return answers;
  }

  /** The relation of a later statement to a known one: same, update, opposite or different. */
  comparePair(known: string, later: string): Chances {
    return this.#ask('pairs', this.#two(known, later, SIDE_TOKENS));
  }

  /** Whether two records are of one thing: same or different. */
  compareRecords(one: string, other: string): Chances {
    return this.#ask('entities', this.#two(one, other, SIDE_TOKENS));
  }

  /** Classifies the request to the memory that a message makes: remember, forget, recall, reflect or none. */
  findRequest(message: string): Chances {
    const tokens = this.#tokensOf(message, MESSAGE_TOKENS);
    const ids = [this.#first, ...tokens, this.#last];
    return this.#ask('requests', { ids, spans: [[1, ids.length - 1]] });
  }

  /** For each word of a request the chance that it says what is to be remembered, forgotten or recalled. */
  findWhat(words: readonly string[]): number[] {
    const ids = [this.#first];
    const spans = words.map((word): Span | undefined => {
      const tokens = this.#tokensOf(word, MESSAGE_TOKENS);
      if (tokens.length === 0 || ids.length + tokens.length >= MESSAGE_TOKENS + 2) return undefined;
      ids.push(...tokens);
      return [ids.length - tokens.length, ids.length];
    });
    const states = this.#encoder.read([...ids, this.#last]);
    return spans.map((span) => (span === undefined ? 0 : (this.#answer('what', inputOf(states, [span]))['in'] ?? 0)));
  }

  /** Whether a message calls for a note: calls or not. */
  callsFor(message: string, note: string): Chances {
    return this.#ask('topics', this.#two(message, note, NOTE_TOKENS));
  }

  /** Whether a memory helps with a prompt: helps or not. */
  helpsWith(prompt: string, memory: string): Chances {
    return this.#ask('prompts', this.#two(prompt, memory, NOTE_TOKENS));
  }

  /** Rates the need for a statement: never, rarely, often or always. */
  rateStanding(statement: string): Chances {
    const tokens = this.#tokensOf(statement, NOTE_TOKENS);
    const ids = [this.#first, ...tokens, this.#last];
    return this.#ask('standing', { ids, spans: [[1, ids.length - 1]] });
  }

  /**
   * Finds the relations of a text's names to one another and to the speaker. Names are those the model finds, then the given ones
   * that stand elsewhere in it.
   */
  findRelations(text: string, given: readonly string[]): JudgedPair[] {
    const words = wordsIn(text);
    const ids = [this.#first, ...this.#tokensOf(SPEAKER, 1), this.#last];
    const mostIds = ids.length + MESSAGE_TOKENS;
    const places: Span[] = [];
    for (const [number, word] of words.entries()) {
      const between = this.#tokensOf(text.slice(words[number - 1]?.end ?? 0, word.start), MESSAGE_TOKENS);
      const own = this.#tokensOf(text.slice(word.start, word.end), MESSAGE_TOKENS);
      if (ids.length + between.length + own.length > mostIds) break;
      ids.push(...between, ...own);
      places.push([ids.length - own.length, ids.length]);
    }
    ids.push(this.#last);
    const states = this.#encoder.read(ids);
    const read = words.slice(0, places.length);
    const marks = places.map((place) => this.#answer('names', inputOf(states, [place])));
    const names = joinNames([...namesMarked(text, read, marks), ...findNames(text, read, given)])
      .slice(0, MAX_NAMES)
      .toSorted((one, other) => one.first - other.first);
    const placed: PlacedInTokens[] = [
      { name: undefined, start: 1, end: 2 },
      ...names.map(({ name, first, last }) => ({
        name,
        start: places[first]?.[0] ?? 0,
        end: places[last]?.[1] ?? 0,
      })),
    ];
    return placed.flatMap((one, number) => placed.slice(number + 1).flatMap((other) => this.#relate(ids, one, other)));
  }

  /** The relations of two names, in both directions. */
  #relate(ids: readonly number[], one: PlacedInTokens, other: PlacedInTokens): JudgedPair[] {
    const [first, second] = [this.#tokensOf(FIRST_SIGN, 1), this.#tokensOf(SECOND_SIGN, 1)];
    const states = this.#encoder.read([
      ...ids.slice(0, one.start),
      ...first,
      ...ids.slice(one.start, one.end),
      ...first,
      ...ids.slice(one.end, other.start),
      ...second,
      ...ids.slice(other.start, other.end),
      ...second,
      ...ids.slice(other.end),
    ]);
    // One sign stands before the first name, three before the second.
    const from: Span = [one.start + 1, one.end + 1];
    const to: Span = [other.start + 3, other.end + 3];
    const answer = (...spans: Span[]): Chances => this.#answer('relations', inputOf(states, spans));
    return [
      { subject: one.name, object: other.name, chances: answer(from, to) },
      { subject: other.name, object: one.name, chances: answer(to, from) },
    ];
  }

  /** The similarity in meaning between a text and the nearest example of each group, −1 to 1. */
  nearestOf(text: string, groups: readonly (readonly string[])[]): number[] {
    const [vector] = this.vectorsOf([text]);
    return groups.map((group) => {
      const known = this.#examples.get(group) ?? this.#packaged.find(group) ?? this.vectorsOf(group);
      this.#examples.set(group, known);
      return Math.max(
        ...known.map((example) => example.reduce((sum, value, at) => sum + value * (vector?.[at] ?? 0), 0)),
      );
    });
  }

  /** The similarity in meaning of two texts, −1 to 1. */
  closeness(one: string, other: string): number {
    const [left, right] = this.vectorsOf([one, other]);
    return left?.reduce((sum, value, at) => sum + value * (right?.[at] ?? 0), 0) ?? 0;
  }

  /** One vector of length 1 for each text. */
  vectorsOf(texts: readonly string[]): Float32Array[] {
    return this.#encoder.encode(texts.map((text) => [this.#first, ...this.#tokensOf(text, TURN_TOKENS), this.#last]));
  }

  /** For tests: the answer to tokens that were recorded when the model was exported. */
  answerRecorded(task: Task, { ids, spans }: Passage): readonly Float32Array[] {
    const states = this.#encoder.read(ids);
    const step = this.#encoder.manifest.tasks.find((each) => each.task === task)?.spans ?? 1;
    const asked = spans.flatMap((_span, place) => (place % step === 0 ? [spans.slice(place, place + step)] : []));
    return asked.map((each) => this.#heads.answer(task, inputOf(states, each)));
  }

  #two(left: string, right: string, most: number): Passage {
    const [one, other] = [this.#tokensOf(left, SIDE_TOKENS), this.#tokensOf(right, most)];
    const ids = [this.#first, ...one, this.#last, ...other, this.#last];
    const middle = one.length + 2;
    return {
      ids,
      spans: [
        [1, middle - 1],
        [middle, ids.length - 1],
      ],
    };
  }

  #ask(task: Task, { ids, spans }: Passage): Chances {
    return this.#answer(task, inputOf(this.#encoder.read(ids), spans));
  }

  #answer(task: Task, input: Float32Array): Chances {
    const chances = this.#heads.answer(task, input);
    return Object.fromEntries(this.#heads.labelsOf(task).map((label, place) => [label, chances[place] ?? 0]));
  }

  #tokensOf(text: string, most: number): number[] {
    return this.#tokenizer.encode(text, most);
  }
}

let judge: Judge | undefined;

/** The model that comes with the package; loaded when something is first to be judged. */
export function packagedJudge(): Judge {
  judge ??= new Judge(findModelFolder());
  return judge;
}
