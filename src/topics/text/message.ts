import { guessLanguage as guessByWords } from '../../retrieve/understand/language.ts';
import { splitWords } from '../../retrieve/understand/words.ts';
import type { WatchedMessage } from '../port.ts';
import { type FoundAddress, findAddresses, findPaths } from '../tier1/addresses.ts';
import { findCode, type FoundCode } from '../tier1/code.ts';
import { readTone, type Tone, type Valence } from '../tier1/tone.ts';
import { type Spelling, type TextWord, readWords } from './words.ts';

/** Only the beginning of a very long message is looked at: what is pasted after it is not what somebody says. */
const MAX_WATCHED = 20_000;

/** Names the language of a text by its letters, as ISO 639-3. */
export type LanguageOf = (text: string) => string;

export interface TextSenses {
  readonly valenceOf: Valence;
  readonly languageOf: LanguageOf;
  /** Puts mistyped words right. */
  readonly spelling?: Pick<Spelling, 'correct'> | undefined;
}

/** A message taken apart once for all topics; what few topics ask for is found out when one does. */
export class ReadMessage {
  readonly text: string;
  readonly role: WatchedMessage['role'];
  readonly paths: readonly string[];
  readonly words: readonly TextWord[];
  readonly #senses: TextSenses;
  #addresses: FoundAddress[] | undefined;
  #code: FoundCode[] | undefined;
  #namedPaths: string[] | undefined;
  #tone: Tone | undefined;
  #language: string | undefined;

  constructor(message: WatchedMessage, senses: TextSenses) {
    this.text = message.text.slice(0, MAX_WATCHED).toWellFormed();
    this.role = message.role;
    this.paths = message.paths ?? [];
    const { spelling } = senses;
    const words = readWords(this.text);
    this.words = spelling === undefined ? words : words.map((word) => spelling.correct(word));
    this.#senses = senses;
  }

  get addresses(): readonly FoundAddress[] {
    this.#addresses ??= findAddresses(this.text);
    return this.#addresses;
  }

  get code(): readonly FoundCode[] {
    this.#code ??= findCode(this.text);
    return this.#code;
  }

  /** Paths the text itself names. */
  get namedPaths(): readonly string[] {
    this.#namedPaths ??= findPaths(this.text);
    return this.#namedPaths;
  }

  get tone(): Tone {
    this.#tone ??= readTone(this.text, this.#senses.valenceOf);
    return this.#tone;
  }

  /** ISO 639-1 where there is such a code, otherwise 639-3; `und` when the text is too short to tell. */
  get language(): string {
    this.#language ??= languageOf(this.text, this.#senses.languageOf);
    return this.#language;
  }

  /** The word that covers a place of the text, or the one after it. */
  wordAt(position: number): number {
    let low = 0;
    let high = this.words.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.words[middle]?.end ?? 0) > position) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}

const CODES: Readonly<Record<string, string>> = {
  eng: 'en',
  deu: 'de',
  spa: 'es',
  fra: 'fr',
  ita: 'it',
  nld: 'nl',
  por: 'pt',
  pol: 'pl',
  rus: 'ru',
  ukr: 'uk',
  tur: 'tr',
  jpn: 'ja',
  kor: 'ko',
  cmn: 'zh',
  arb: 'ar',
  hin: 'hi',
  swe: 'sv',
  ces: 'cs',
  hun: 'hu',
  ron: 'ro',
  ell: 'el',
  heb: 'he',
  vie: 'vi',
  ind: 'id',
  bul: 'bg',
  hrv: 'hr',
  srp: 'sr',
  slv: 'sl',
  dan: 'da',
  fin: 'fi',
  nob: 'no',
  cat: 'ca',
  fas: 'fa',
  tha: 'th',
};

/** Below this the statistics of letters are a coin toss; the function words of four languages still say something. */
const MIN_LETTERS = 60;
const ENGLISH = /\b(?:the|and|is|of|to|for|with|that|this|it|you|we|my|are|was|have|can|what|how)\b/giu;
const ENOUGH_ENGLISH = 2;

function languageOf(text: string, byLetters: LanguageOf): string {
  const prose = text.replaceAll(/```[\s\S]*?```|https?:\S+|`[^`]*`/gu, ' ').slice(0, 1000);
  if (!/\p{L}/u.test(prose)) return 'und';
  const guessed = guessByWords(prose, splitWords(prose));
  const isSurelyEnglish = (prose.match(ENGLISH)?.length ?? 0) >= ENOUGH_ENGLISH;
  if (guessed !== 'other' && (guessed !== 'en' || isSurelyEnglish || prose.length < MIN_LETTERS)) return guessed;
  const code = byLetters(prose);
  if (code === 'und') return guessed === 'other' ? 'und' : guessed;
  return CODES[code] ?? code;
}

export function languageCode(name: string): string {
  const lower = name.trim().toLowerCase();
  const known = [CODES, LANGUAGE_NAMES].find((names) => Object.hasOwn(names, lower));
  return known?.[lower] ?? lower.replace(/[-_].*$/u, '');
}

const LANGUAGE_NAMES: Readonly<Record<string, string>> = {
  english: 'en',
  german: 'de',
  deutsch: 'de',
  spanish: 'es',
  french: 'fr',
  italian: 'it',
  dutch: 'nl',
  portuguese: 'pt',
  polish: 'pl',
  russian: 'ru',
  ukrainian: 'uk',
  turkish: 'tr',
  japanese: 'ja',
  korean: 'ko',
  chinese: 'zh',
  arabic: 'ar',
  swedish: 'sv',
  czech: 'cs',
  slovenian: 'sl',
  danish: 'da',
  finnish: 'fi',
  greek: 'el',
};
