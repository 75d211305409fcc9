/** Articles carry no statement of their own, except in front of these: "a few" is not "few". */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
const NEED_THEIR_ARTICLE: ReadonlySet<string> = new Set(['few', 'little', 'bit', 'lot']);

const UNITS = 'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen'
  .concat(' seventeen eighteen nineteen')
  .split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const BELOW_HUNDRED: ReadonlyMap<string, number> = new Map([
  ...UNITS.map((word, value) => [word, value] as const),
  ...TENS.map((word, index) => [word, (index + 2) * 10] as const),
]);
const MULTIPLES: ReadonlyMap<string, number> = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1_000_000],
]);

/** Marks that only set a sentence off. Every other mark changes what is said: "A+", "C#", "< 5", "-5", "7 %", "why?". */
const PUNCTUATION = /["“”„«»()[\]{},;:!…—–]/gu;

/**
 * Whether two statements are the same words in the same order, up to case, punctuation, articles and the spelling of
 * numbers. Only these count as one: merging loses the second statement, and no likeness of words tells "before dinner"
 * from "after dinner".
 */
export function sameWords(left: string, right: string): boolean {
  return canonicalWords(left) === canonicalWords(right);
}

/** The form in which statements of the same words are equal. */
export function canonicalWords(text: string): string {
  return numbersAsDigits(withoutArticles(splitWords(text))).join(' ');
}

function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      // A code point the eye does not see changes nothing that is said.
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replaceAll(/[‘’]/gu, "'")
      // "1,000" is one figure; in "1, 2" and "one, two" the comma only separates.
      .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/gu, '')
      // Inside a figure a mark is part of it: "9:30", "1,5", "10–12".
      .replaceAll(PUNCTUATION, (mark, at: number, whole: string) => (isBetweenDigits(whole, at) ? mark : ' '))
      .split(/\s+/u)
      .flatMap(splitWord)
      .filter((word) => word !== '')
  );
}

function isBetweenDigits(text: string, at: number): boolean {
  return /\d/u.test(text[at - 1] ?? '') && /\d/u.test(text[at + 1] ?? '');
}

/** Without the quotes and full stop around it; "twenty-five" becomes two words, "2026-03-01", "-5" and ".env" stay. */
function splitWord(word: string): string[] {
  const bare = word.replaceAll(/^[`']+|[`'.]+$/gu, '').replace(/^-+$/u, '');
  return bare.split(/(?<=\p{L})-(?=\p{L})/u);
}

/** Drops articles. A capital letter inside the sentence is no article: "vitamin A", "plan A". */
function withoutArticles(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const folded = word.toLowerCase();
    const next = words[index + 1]?.toLowerCase();
    const isArticle =
      ARTICLES.has(folded) &&
      (index === 0 || word === folded) &&
      next !== undefined &&
      !(folded === 'a' && NEED_THEIR_ARTICLE.has(next));
    return isArticle ? [] : [folded];
  });
}

function numbersAsDigits(words: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < words.length; ) {
    const number = readNumber(words, at);
    out.push(number === undefined ? (words[at] ?? '') : String(number.value));
    at = number?.end ?? at + 1;
  }
  return out;
}

interface ReadNumber {
  readonly value: number;
  readonly end: number;
}

/** Reads one number in words: "forty two", "three hundred and five", "two thousand". "One two" are two numbers. */
function readNumber(words: readonly string[], start: number): ReadNumber | undefined {
  let read = readBelowHundred(words, start) ?? (MULTIPLES.has(words[start] ?? '') ? { value: 1, end: start } : undefined);
  if (read === undefined) return undefined;
  for (;;) {
    const multiple = MULTIPLES.get(words[read.end] ?? '');
    if (multiple === undefined) return read;
    const value: number = read.value * multiple;
    const and = words[read.end + 1] === 'and' ? 1 : 0;
    const rest = readNumber(words, read.end + 1 + and);
    const isPart = rest !== undefined && rest.value < multiple;
    read = isPart ? { value: value + rest.value, end: rest.end } : { value, end: read.end + 1 };
  }
}

function readBelowHundred(words: readonly string[], at: number): ReadNumber | undefined {
  const value = BELOW_HUNDRED.get(words[at] ?? '');
  if (value === undefined) return undefined;
  const unit = BELOW_HUNDRED.get(words[at + 1] ?? '') ?? 0;
  const isCompound = value >= 20 && unit >= 1 && unit <= 9;
  return isCompound ? { value: value + unit, end: at + 2 } : { value, end: at + 1 };
}
