/** Articles that say nothing by themselves, except in front of some words: "a few" is not "few". */
const ARTICLES: ReadonlySet<string> = new Set(['a', 'an', 'the']);
const NEED_THEIR_ARTICLE: ReadonlySet<string> = new Set('few little bit lot most front'.split(' '));

/** Words that mean something else in capitals ("US"), and words that mean something else as a name ("Polish"). */
const OTHER_IN_CAPITALS: ReadonlySet<string> = new Set('us it who aids ram sim pin led cat pet m mw'.split(' '));
const OTHER_AS_NAME: ReadonlySet<string> = new Set(
  (
    'polish may march august china turkey jordan chad java nice reading cork bath split mobile mercury earth god mass ' +
    'catholic will mark bill rose frank jack sue pat grace hope faith joy dawn summer art gene ray rich rob chase ' +
    'hunter mason miles dean drew grant guy lance max nick penny pearl ruby ivy lily daisy violet heather olive sandy ' +
    'crystal amber jade rust go swift python react node express rails spark shell oracle chrome edge safari slack ' +
    'teams zoom word excel outlook windows office access notion linear apple amazon meet'
  ).split(' '),
);
/** Megabits, not megabytes. */
const BITS = /^[KMGT]b(?:ps)?$/u;

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

/** Marks that only set words off. Every other mark changes what is said: "A+", "C#", "< 5", "-5", "7 %", "why?". */
const SETS_OFF = /["“”„«»()[\]{},;:…—–]|!(?![\p{L}\p{N}=])/gu;

/** Where a sentence ends, and where only its parts are set off; neither is a word. */
const SENTENCE_END = '.';
const BREAK = ',';

/**
 * Whether two statements are the same words in the same order, up to case, punctuation, articles and the spelling of
 * numbers. Only these count as one: merging loses the second statement, and no likeness of words tells "before dinner"
 * from "after dinner".
 */
export function sameWords(left: string, right: string): boolean {
  return canonicalWords(left) === canonicalWords(right);
}

/** The form in which statements of the same words are equal; a text without words is only equal to itself. */
export function canonicalWords(text: string): string {
  const words = numbersAsDigits(foldCase(splitWords(text)));
  const canonical = words.filter((word) => word !== BREAK && word !== SENTENCE_END).join(' ');
  return canonical === '' ? text.trim() : canonical;
}

function splitWords(text: string): string[] {
  return (
    text
      .normalize('NFC')
      // A code point the eye does not see changes nothing that is said.
      .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
      .replaceAll(/[‘’]/gu, "'")
      // "10–12", "A–" and "–5" are written with a hyphen, too; elsewhere a dash sets off.
      .replaceAll(/−|(?<=\d)–(?=\d)|(?<=\S)–(?=[\s.,;:!?)]|$)|(?<=\s|^)–(?=\d)/gu, '-')
      // "1,000" is one figure; in "1, 2" and "one, two" the comma only separates.
      .replaceAll(/(?<![\d.,])\d{1,3}(?:,\d{3})+(?!\d|,\d)/gu, (figure) => figure.replaceAll(',', ''))
      .replaceAll(SETS_OFF, (mark, at: number, whole: string) => {
        if (isPartOfFigure(mark, at, whole)) return mark;
        return /[:!…]/u.test(mark) ? ` ${SENTENCE_END} ` : ` ${BREAK} `;
      })
      .split(/\s+/u)
      .flatMap(splitWord)
      .filter((word) => word !== '')
  );
}

/** "9:30" and "1,5"; also 5", unless the mark closes a quotation. */
function isPartOfFigure(mark: string, at: number, text: string): boolean {
  if (!/\d/u.test(text[at - 1] ?? '')) return false;
  return /\d/u.test(text[at + 1] ?? '') || (mark === '"' && text.slice(0, at).split('"').length % 2 === 1);
}

/** Without the quotes and full stop around it; "twenty-five" becomes two words, "2026-03-01", "-5" and ".env" stay. */
function splitWord(word: string): string[] {
  if (word === BREAK || word === SENTENCE_END) return [word];
  const bare = word.replaceAll(/^[`']+|(?:[`.]|(?<!\d)')+$/gu, '').replace(/^-+$/u, BREAK);
  const end = /[.?]['`]*$/u.test(word) ? [SENTENCE_END] : [];
  return [...bare.split(/(?<=\p{L}{2})-(?=\p{L}{2})/u), ...end];
}

/** Drops articles and case, but marks a word whose case makes it another one: "vitamin A", "US", "Polish". */
function foldCase(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const folded = word.toLowerCase();
    const isStart = index === 0 || words[index - 1] === SENTENCE_END;
    const next = words[index + 1]?.toLowerCase() ?? SENTENCE_END;
    if (ARTICLES.has(folded)) {
      const isLetter = folded === 'a' && ((word === 'A' && !isStart) || next === BREAK || next === SENTENCE_END);
      return isLetter ? ['^a'] : NEED_THEIR_ARTICLE.has(next) ? [folded] : [];
    }
    const isOther =
      (OTHER_IN_CAPITALS.has(folded) && word === word.toUpperCase()) ||
      (OTHER_AS_NAME.has(folded) && !isStart && /^\p{Lu}\p{Ll}/u.test(word)) ||
      BITS.test(word);
    return [isOther ? `^${folded}` : folded];
  });
}

function numbersAsDigits(words: readonly string[]): string[] {
  const out: string[] = [];
  for (let at = 0; at < words.length;) {
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

/** Reads one number: "forty two", "three hundred and five", "5 million". "One two" are two numbers, "no one" is none. */
function readNumber(words: readonly string[], start: number): ReadNumber | undefined {
  let read = readBelowHundred(words, start) ?? readCounted(words, start);
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

/** "hundred" alone is one hundred; "5 million" starts with a figure. */
function readCounted(words: readonly string[], at: number): ReadNumber | undefined {
  const word = words[at] ?? '';
  if (MULTIPLES.has(word)) return { value: 1, end: at };
  const isCount = /^[1-9]\d{0,8}$/u.test(word) && MULTIPLES.has(words[at + 1] ?? '');
  return isCount ? { value: Number(word), end: at + 1 } : undefined;
}

function readBelowHundred(words: readonly string[], at: number): ReadNumber | undefined {
  const value = BELOW_HUNDRED.get(words[at] ?? '');
  if (value === undefined || (value === 1 && words[at - 1] === 'no')) return undefined;
  const unit = BELOW_HUNDRED.get(words[at + 1] ?? '') ?? 0;
  const isCompound = value >= 20 && unit >= 1 && unit <= 9;
  return isCompound ? { value: value + unit, end: at + 2 } : { value, end: at + 1 };
}
