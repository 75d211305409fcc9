import { dot } from '../../providers/embeddings/port.ts';
import type { ReadMessage } from '../text/message.ts';
import { readWords } from '../text/words.ts';
import { noteOf } from '../port.ts';
import type { WatchedTopic } from '../topic-file.ts';
import type { NoteVector } from './note-vectors.ts';

/** The nearness of a message and a topic before the model reads both. */
export interface Nearness {
  /** Cosine of the message and the whole note. */
  readonly meaning: number;
  /** Cosine of the message and the line of the playbook that is nearest to it. */
  readonly line: number;
  /** Words in common, by how rare they are. */
  readonly words: number;
  /** The distance ahead of the nearest other topic; negative when behind. */
  readonly lead: number;
}

/** The weight of words in common beside meaning. */
const WORDS_SHARE = 0.15;
/** The usual score of the nearest of many unrelated topics. Being the only topic of a home proves nothing. */
const USUAL = 0.3;
/** Of a note that has no vectors yet. */
const USUAL_MEANING = 0.15;

/** Compares messages with all topics of a home at once. */
export class TopicWords {
  readonly #stems: readonly ReadonlySet<string>[];
  readonly #counts = new Map<string, number>();
  /** 0–1: how rare a word is in the language. */
  readonly #rarityOf: (word: string) => number;

  constructor(topics: readonly WatchedTopic[], rarityOf: (word: string) => number) {
    this.#rarityOf = rarityOf;
    this.#stems = topics.map(stemsOf);
    for (const stems of this.#stems) {
      for (const stem of stems) this.#counts.set(stem, (this.#counts.get(stem) ?? 0) + 1);
    }
  }

  /** For each topic, its words in the message. */
  compare({ words }: Pick<ReadMessage, 'words'>): number[] {
    const asked = new Map<string, number>();
    for (const { stem, folded, isContent } of words) {
      if (isContent && this.#counts.has(stem)) asked.set(stem, this.#rarityOf(folded) * this.#rarity(stem));
    }
    return this.#stems.map((own) => {
      let sum = 0;
      for (const [stem, value] of asked) if (own.has(stem)) sum += value;
      return Math.log1p(sum);
    });
  }

  /** 0–1, 1 for a word of one topic alone; the same however many topics there are. */
  #rarity(stem: string): number {
    const topics = this.#stems.length;
    return Math.log1p(topics / (this.#counts.get(stem) ?? 1)) / Math.log1p(topics);
  }
}

const stemsByTopic = new WeakMap<WatchedTopic, ReadonlySet<string>>();

function stemsOf(topic: WatchedTopic): ReadonlySet<string> {
  const known = stemsByTopic.get(topic);
  if (known !== undefined) return known;
  const words = readWords(noteOf(topic).text);
  const made = new Set(words.flatMap(({ stem, isContent }) => (isContent ? [stem] : [])));
  stemsByTopic.set(topic, made);
  return made;
}

/** `words` and `notes` are in the topics' order; a note is undefined while it has no vectors. */
export function measureNearness(
  message: Float32Array,
  words: readonly number[],
  notes: readonly (NoteVector | undefined)[],
): Nearness[] {
  const measured = notes.map((note, at) => {
    const own = words[at] ?? 0;
    const meaning = note === undefined ? USUAL_MEANING : dot(message, note.whole);
    const line = Math.max(0, ...(note?.lines.map((vector) => dot(message, vector)) ?? [USUAL_MEANING]));
    return { meaning, line, words: own, promise: (meaning + line) / 2 + WORDS_SHARE * own };
  });
  const [first, second] = measured.map(({ promise }) => promise).sort((left, right) => right - left);
  return measured.map(({ meaning, line, words: own, promise }) => {
    const other = promise === first ? second : first;
    return { meaning, line, words: own, lead: promise - Math.max(USUAL, other ?? 0) };
  });
}
