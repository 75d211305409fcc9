import { editDistance } from '../../model/edit-distance.ts';
import { stemWord, type TextWord } from './words.ts';

/** Shorter words are one letter away from too many others. */
const MIN_LETTERS = 5;
/** In a word this long, two letters may be wrong. */
const LONG_WORD = 8;

/**
 * Puts right what was mistyped, as far as topics know the word that was meant. Words are compared by what is left when
 * any one letter is taken out, so that each meets only those that can be near it.
 */
export class Spelling {
  readonly #known = new Set<string>();
  readonly #byRest = new Map<string, string[]>();
  readonly #isWord: (word: string) => boolean;

  /** `isWord` says whether a word stands in the dictionary as it is: "hiding" is no slip for "hiring". */
  constructor(isWord: (word: string) => boolean) {
    this.#isWord = isWord;
  }

  learn(word: string): void {
    if (this.#known.has(word)) return;
    this.#known.add(word);
    if (word.length < MIN_LETTERS || !/^\p{L}+$/u.test(word)) return;
    for (const rest of restsOf(word)) {
      const words = this.#byRest.get(rest) ?? [];
      words.push(word);
      this.#byRest.set(rest, words);
    }
  }

  correct(word: TextWord): TextWord {
    const { folded, isContent } = word;
    if (!isContent || folded.length < MIN_LETTERS || this.#known.has(folded)) return word;
    if (!/^\p{L}+$/u.test(folded) || this.#isWord(folded)) return word;
    const meant = this.#nearest(folded);
    return meant === undefined ? word : { ...word, folded: meant, stem: stemWord(meant), isCorrected: true };
  }

  #nearest(written: string): string | undefined {
    let nearest: string | undefined;
    let least = Infinity;
    for (const rest of restsOf(written)) {
      for (const word of this.#byRest.get(rest) ?? []) {
        const limit = word.length >= LONG_WORD ? 2 : 1;
        const distance = word[0] === written[0] ? editDistance(written, word, limit) : Infinity;
        if (distance <= limit && (distance < least || (distance === least && word < (nearest ?? '')))) {
          nearest = word;
          least = distance;
        }
      }
    }
    return nearest;
  }
}

function restsOf(word: string): Set<string> {
  const rests = new Set([word]);
  for (let at = 0; at < word.length; at += 1) rests.add(word.slice(0, at) + word.slice(at + 1));
  return rests;
}
