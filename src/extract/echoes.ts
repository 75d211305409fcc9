import { cutSentences } from '../judge/handed-over/sentences.ts';
import { contentWords, stemOf } from '../model/content-words.ts';

/** A sentence with fewer words of its own repeats nothing in particular. */
const LEAST_STEMS = 3;
/** The share of a sentence's words from which on it repeats another one. */
const REPEATS = 0.6;
/** Of a pasted book so much is compared with what the agent says of it. */
const MAX_SENTENCES = 400;

/** What was handed over in a conversation so far: an agent that repeats it is not its source. */
export class HandedOverSoFar {
  readonly #sentences: ReadonlySet<string>[] = [];

  add(texts: readonly string[]): void {
    for (const text of texts) {
      for (const sentence of sentencesOf(text)) {
        if (this.#sentences.length >= MAX_SENTENCES) return;
        const stems = stemsOf(sentence);
        if (stems.size >= LEAST_STEMS) this.#sentences.push(stems);
      }
    }
  }

  /** Divides what an agent says into its own sentences and those that repeat what was handed over. */
  divide(text: string): { readonly own: string; readonly repeated: string } {
    if (this.#sentences.length === 0) return { own: text, repeated: '' };
    const sentences = sentencesOf(text);
    const repeated = sentences.filter((sentence) => this.#isRepeated(sentence));
    if (repeated.length === 0) return { own: text, repeated: '' };
    return { own: sentences.filter((each) => !repeated.includes(each)).join(''), repeated: repeated.join('') };
  }

  #isRepeated(sentence: string): boolean {
    const stems = stemsOf(sentence);
    if (stems.size < LEAST_STEMS) return false;
    return this.#sentences.some((known) => stems.intersection(known).size >= REPEATS * stems.size);
  }
}

function sentencesOf(text: string): readonly string[] {
  return cutSentences(text).map(({ start, end }) => text.slice(start, end));
}

function stemsOf(text: string): ReadonlySet<string> {
  return new Set(contentWords(text).map(stemOf));
}
