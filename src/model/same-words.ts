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

/**
 * Marks that only set words off. Every other mark changes what is said: "A+", "C#", "< 5", "-5", "7 %", "why?", ":)", "[]".
 * A colon sets off at the end of a word.
 */
const SETS_OFF = /["“”„«»,;…—–]|(?<=[\p{L}\p{N}"”'’)]):(?=\s|$)|!(?![\p{L}\p{N}=])/gu;

/** Words in brackets, with blanks or marks around them; "f(x)" and "(0,1]" are something else. */
const IN_BRACKETS = /(?<=\s|^)\(([\p{L}\p{N}][^()[\]{}]+)\)(?=[\s.,;:!?]|$)/gu;

/** Words that no article stands before, so that an "a" there is a letter: "variable a in the form". */
const AFTER_NO_ARTICLE: ReadonlySet<string> = new Set(
  'in on at of to by with from for and or is are was were as than if into'.split(' '),
);

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
      .replaceAll(IN_BRACKETS, ` ${BREAK} $1 ${BREAK} `)
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

/** Without the quotes and full stop around it; "twenty-five" and "two-factor" become two words, "man-eating", "-5" and ".env" stay one. */
function splitWord(word: string): string[] {
  if (word === BREAK || word === SENTENCE_END) return [word];
  const bare = word.replaceAll(/^[`']+|(?:[`.]|(?<!\d)')+$/gu, '').replace(/^-+$/u, BREAK);
  const end = /[.?]['`]*$/u.test(word) ? [SENTENCE_END] : [];
  const parts = bare.split('-');
  return [...(BELOW_HUNDRED.has(parts[0]?.toLowerCase() ?? '') ? parts : [bare]), ...end];
}

/** Drops articles and case, but marks a word whose case makes it another one: "vitamin A", "US", "Polish". */
function foldCase(words: readonly string[]): string[] {
  return words.flatMap((word, index) => {
    const folded = word.toLowerCase();
    const isStart = index === 0 || words[index - 1] === SENTENCE_END;
    const next = words[index + 1]?.toLowerCase() ?? SENTENCE_END;
    if (ARTICLES.has(folded)) {
      const stands = next === BREAK || next === SENTENCE_END || AFTER_NO_ARTICLE.has(next);
      const isLetter = folded === 'a' && ((word === 'A' && !isStart) || stands);
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
  let group = readGroup(words, start);
  if (group === undefined) return undefined;
  let { value, end } = group;
  // Each further group must be smaller than what the one before it was counted in: "two thousand and five".
  while (group.multiple > 1) {
    const next = readGroup(words, words[end] === 'and' ? end + 1 : end);
    if (next === undefined || next.value >= group.multiple) break;
    value += next.value;
    ({ end } = next);
    group = next;
  }
  return { value, end };
}

interface NumberGroup extends ReadNumber {
  /** The largest multiple in it. */
  readonly multiple: number;
}

/** Reads a count and its multiples, each larger than the one before: "three hundred thousand". */
function readGroup(words: readonly string[], start: number): NumberGroup | undefined {
  const count = readBelowHundred(words, start) ?? readCounted(words, start);
  if (count === undefined) return undefined;
  let { value, end } = count;
  let multiple = 1;
  for (;;) {
    const next = MULTIPLES.get(words[end] ?? '') ?? 0;
    if (next <= multiple) return { value, end, multiple };
    value *= next;
    multiple = next;
    end += 1;
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
