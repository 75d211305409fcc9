import { type WordPiece, splitWords } from './wordpiece.ts';

/** Enough to tell a language; a long text is not read to its end. */
const SAMPLE_CHARACTERS = 1000;
/** English prose has nearly all of its words in the vocabulary, technical English at least this share. */
const ENGLISH_WHOLE_WORDS = 0.6;

/** Function words betray the language of a sentence. Those spelled alike in English and elsewhere are in no list. */
const ENGLISH = wordSet(`
  the and is are were be been you she it they my your his her our their this that these those what which who when where
  how why does did has have had not with from for about would could should will can there if then than by or but also
  into after before because while`);

const OTHER = wordSet(`
  der das dem ein eine einen einem einer und ist sind nicht mit von zu auf fur ich wir ihr sie wie wo wer wann als weil
  warum hat haben wird wurde uber aber auch nach bei de het een niet wat zijn naar ik maar ook og av det jeg ikke som
  har att och inte jag le la les une du et est sont que qui dans pour avec pas nous vous je tu elle ce cette ou el
  los las una unos del por para como donde cuando quien pero muy su yo uma nao eu voce quando onde il lo gli che non
  sono della nel anche dove perche questo nie jest sie ze dla jak czy ktory gdzie od kde jsem bir icin ile ei etta oli
  kuin az egy hogy nem yang ini itu dengan untuk cua khong`);

function wordSet(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/u));
}

/**
 * The share of a text that the English vocabulary covers, from 0 to 1: by its share of letters without diacritics, of
 * words that are in the vocabulary as a whole, and of function words that are English. Cheap and rough: it is made to
 * lower a weight, not to decide.
 */
export function languageFit(text: string, tokenizer: WordPiece): number {
  const sample = text.slice(0, SAMPLE_CHARACTERS);
  const words = splitWords(sample).filter((word) => /^[a-z]{2,}$/u.test(word));
  return plainLetterShare(sample) ** 2 * wholeWordFit(words, tokenizer) * functionWordFit(words);
}

function plainLetterShare(sample: string): number {
  const letters = sample.match(/\p{L}/gu) ?? [];
  return letters.length === 0 ? 1 : letters.filter((letter) => letter < '\u0080').length / letters.length;
}

function wholeWordFit(words: readonly string[], tokenizer: WordPiece): number {
  if (words.length === 0) return 1;
  const whole = words.filter((word) => tokenizer.encodeWord(word).length === 1).length;
  return Math.min(1, whole / words.length / ENGLISH_WHOLE_WORDS);
}

function functionWordFit(words: readonly string[]): number {
  const english = words.filter((word) => ENGLISH.has(word)).length;
  const other = words.filter((word) => OTHER.has(word)).length;
  return (english + 1) / (english + other + 1);
}
