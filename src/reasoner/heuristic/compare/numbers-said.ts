const SMALL = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const TEENS = 'thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(' ');
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS = 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');

/** The number a word stands for; "one" and "first" are left out, because they seldom count anything. */
const COUNTS: ReadonlyMap<string, string> = new Map([
  ...SMALL.flatMap((word, value): [string, string][] => (value < 2 ? [] : [[word, String(value)]])),
  ...TEENS.map((word, index): [string, string] => [word, String(index + 13)]),
  ...TENS.flatMap((word, index): [string, string][] => [
    [word, String((index + 2) * 10)],
    [word.replace(/y$/u, 'ieth'), String((index + 2) * 10)],
  ]),
  ...ORDINALS.flatMap((word, index): [string, string][] => (index < 2 ? [] : [[word, String(index + 1)]])),
]);
/** Figures of different units are different figures: 12 V and 12 seconds. */
const UNITS: readonly (readonly [string, RegExp])[] = [
  ['v', /^v(?:olts?)?$/u],
  ['s', /^s(?:ec(?:ond)?s?)?$/u],
  ['min', /^min(?:ute)?s?$/u],
  ['h', /^h(?:ours?|rs?)?$/u],
  ['day', /^days?$/u],
  ['week', /^weeks?$/u],
  ['month', /^months?$/u],
  ['year', /^years?$/u],
  ['ms', /^(?:ms|milliseconds?)$/u],
  ['%', /^(?:%|per ?cent)$/u],
  ['eur', /^(?:euros?|eur|€)$/u],
  ['usd', /^(?:dollars?|usd)$/u],
  ['kg', /^(?:kg|kilos?)$/u],
  ['g', /^(?:g|grams?)$/u],
  ['mg', /^mg$/u],
  ['ml', /^ml$/u],
  ['l', /^(?:l|lit(?:re|er)s?)$/u],
  ['km', /^km$/u],
  ['m', /^(?:m|met(?:re|er)s?)$/u],
  ['gb', /^gb$/u],
  ['mb', /^mb$/u],
];
const FIGURE = /(?<![\p{L}\d])\d+(?:[.,:]\d+)*(?:st|nd|rd|th|k)?(?![\p{L}\d])/giu;
const AFTER = /^[\s-]*(%|€|\p{L}+)/u;

/** The figures of a text, however they are written (`12 v`, `40`), and the text without them. */
export function numbersIn(text: string): { readonly numbers: ReadonlySet<string>; readonly words: string } {
  const numbers = new Set<string>();
  const note = (value: string, rest: string): string => {
    const unit = unitOf(rest);
    numbers.add(unit === undefined ? value : `${value} ${unit}`);
    return ' ';
  };
  const words = text
    .replaceAll(FIGURE, (figure, at: number) => note(plain(figure.toLowerCase()), text.slice(at + figure.length)))
    .replaceAll(/\p{L}+/gu, (word, at: number, whole: string) => {
      const count = COUNTS.get(word.toLowerCase());
      return count === undefined ? word : note(count, whole.slice(at + word.length));
    });
  return { numbers, words };
}

function unitOf(rest: string): string | undefined {
  const word = AFTER.exec(rest)?.[1]?.toLowerCase();
  return word === undefined ? undefined : UNITS.find(([, pattern]) => pattern.test(word))?.[0];
}

export function isSameNumber(one: string, other: string): boolean {
  const [value, unit] = one.split(' ');
  const [otherValue, otherUnit] = other.split(' ');
  return value === otherValue && (unit === undefined || otherUnit === undefined || unit === otherUnit);
}

/** `10:00` is ten, `5,000` and `5k` are five thousand, `40th` is forty. */
function plain(figure: string): string {
  const bare = figure
    .replace(/(?:st|nd|rd|th)$/u, '')
    .replace(/:00$/u, '')
    .replaceAll(/,(?=\d{3}(?!\d))/gu, '');
  return bare.endsWith('k') ? `${bare.slice(0, -1)}000` : bare;
}
