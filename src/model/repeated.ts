/** Of two texts of which one has so many of the other's words, one is enough. */
const SAME_WORDS = 0.8;
/** Fewer words more are another wording and nothing new. */
const NEW_WORDS = 2;
const WORD = /\p{L}{4,}|[\p{L}\p{N}]*\p{N}[\p{L}\p{N}]*/gu;
const NUMBER = /\p{N}/u;
const DENIAL = /\b(?:no|not|nor|cannot|kein\p{L}*|nicht)\b|n['’]t\b/iu;
/** Stands among the words of a text that denies something. */
const DENIED = '¬';

type Words = ReadonlySet<string>;

/** Of those that say the same, the one that says more, in the place of the first. What has no word of its own is left out. */
export function withoutRepetitions<T>(
  all: readonly T[],
  textOf: (one: T) => string,
  merge = (_first: T, longer: T): T => longer,
): T[] {
  const kept: { readonly one: T; readonly words: Words }[] = [];
  for (const one of all) {
    const words = wordsOf(textOf(one));
    if (words.size === 0) continue;
    const at = kept.findIndex((other) => isSame(words, other.words));
    const first = kept[at];
    if (first === undefined) kept.push({ one, words });
    else if (words.size >= first.words.size + NEW_WORDS) kept[at] = { one: merge(first.one, one), words };
  }
  return kept.map(({ one }) => one);
}

/** Whether one of the others says all that a text does. */
export function repeats(others: readonly string[]): (text: string) => boolean {
  const known = others.map(wordsOf).filter(({ size }) => size > 0);
  return (text) => {
    const words = wordsOf(text);
    return words.size > 0 && known.some((other) => isWithin(words, other));
  };
}

/** Texts in parts, each without the parts that an earlier text has. */
export function withoutSaidParts(texts: readonly (readonly string[])[]): string[][] {
  const known: Words[] = [];
  return texts.map((parts) => {
    const own = parts.map((part) => ({ part, words: wordsOf(part) }));
    const left = own.filter(({ words }) => words.size === 0 || !known.some((other) => isWithin(words, other)));
    known.push(...own.map(({ words }) => words), wordsOf(parts.join(' ')));
    return left.some(({ words }) => words.size > 0) ? left.map(({ part }) => part) : [];
  });
}

function wordsOf(text: string): Words {
  const words = new Set(text.toLowerCase().match(WORD));
  if (words.size > 0 && DENIAL.test(text)) words.add(DENIED);
  return words;
}

function isSame(one: Words, other: Words): boolean {
  return one.size <= other.size ? isWithin(one, other) : isWithin(other, one);
}

/** Another number makes it another statement, however long it is, and so does a denial of the same. */
function isWithin(small: Words, large: Words): boolean {
  if (small.has(DENIED) ? !large.has(DENIED) : large.has(DENIED) && large.size <= small.size + NEW_WORDS) return false;
  if ([...small].some((word) => NUMBER.test(word) && !large.has(word))) return false;
  return small.intersection(large).size / small.size >= SAME_WORDS;
}
