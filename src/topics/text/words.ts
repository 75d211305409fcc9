import { stemmer } from 'stemmer';
import { editDistance } from '../../model/edit-distance.ts';
import { foldText } from '../../retrieve/understand/words.ts';
import { STOP_WORDS } from '../../search-index/text/terms.ts';

/** A word of a message or a topic, with its place and the form it is compared in. */
export interface TextWord {
  readonly folded: string;
  readonly stem: string;
  readonly start: number;
  readonly end: number;
  /** Carries meaning of its own: not an article, a pronoun or an auxiliary. */
  readonly isContent: boolean;
  /** It was mistyped, and this is what was meant. */
  readonly isCorrected?: boolean | undefined;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

/** Contracted endings left over by the split, and words that every request is made of. */
const EMPTY_WORDS = new Set(
  (
    's t re ve ll d m don doesn didn isn aren wasn weren won wouldn can couldn shouldn haven hasn hadn ain please thanks ' +
    'thank hey hi hello ok okay yes yeah yep no not just also really maybe still even want need like get got go going ' +
    'gonna let lets make made thing things something anything everything someone anyone one ones know think thought guess ' +
    'sure well much many lot bit kind sort way around back now then again today tomorrow yesterday could would should may ' +
    'might must shall will us im ive id dont cant'
  ).split(' '),
);

const MAX_STEMS = 20_000;
const stems = new Map<string, string>();

/** The ending taken off words of the Latin alphabet; remembered, since a text's words have mostly been seen before. */
export function stemWord(folded: string): string {
  const known = stems.get(folded);
  if (known !== undefined) return known;
  const stem = /^[a-z]{3,}$/u.test(folded) ? stemmer(folded) : folded;
  if (stems.size < MAX_STEMS) stems.set(folded, stem);
  return stem;
}

export function readWords(text: string): TextWord[] {
  return [...text.matchAll(WORD)].map((match) => {
    const folded = foldText(match[0]);
    return {
      folded,
      stem: stemWord(folded),
      start: match.index,
      end: match.index + match[0].length,
      isContent: isContentWord(folded),
    };
  });
}

export function isContentWord(folded: string): boolean {
  if (STOP_WORDS.has(folded) || EMPTY_WORDS.has(folded)) return false;
  return folded.length > 1 || !/[a-z0-9]/u.test(folded);
}

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
