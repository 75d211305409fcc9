/**
 * The classes of words as text: a line with all that words have, then a sorted line for each word, `word\tNUMBER`. A word is found
 * without reading the others: making a map of 24,000 takes longer than the few that a statement asks for.
 */
export function writeDictionary(classes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const numbers = new Map<string, string>();
  const numberOf = (tags: string): string => {
    const number = numbers.get(tags) ?? numbers.size.toString(RADIX);
    numbers.set(tags, number);
    return number;
  };
  const lines = Object.entries(classes).map(([word, tags = []]) => `${word}\t${numberOf([tags].flat().join(' '))}\n`);
  // By code units, as words are compared when one is looked up.
  const sorted = lines.sort((one, other) => (wordOf(one) < wordOf(other) ? -1 : 1));
  return `${[...numbers.keys()].join('\t')}\n${sorted.join('')}`;
}

const RADIX = 36;

/** Looks words up in what `writeDictionary` wrote. */
export function readDictionary(text: string): (word: string) => readonly string[] {
  const wordsAt = text.indexOf('\n') + 1;
  const classes = text
    .slice(0, wordsAt - 1)
    .split('\t')
    .map((tags) => tags.split(' ').filter((tag) => tag !== ''));
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const found = known.get(word) ?? classes[findNumber(text, wordsAt, word)] ?? [];
    known.set(word, found);
    return found;
  };
}

function findNumber(text: string, wordsAt: number, wanted: string): number {
  let [low, high] = [wordsAt, text.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const start = text.lastIndexOf('\n', middle - 1) + 1;
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end);
    const word = wordOf(line);
    if (word === wanted) return Number.parseInt(line.slice(word.length + 1), RADIX);
    if (word < wanted) low = end + 1;
    else high = start;
  }
  return Number.NaN;
}

function wordOf(line: string): string {
  return line.slice(0, line.indexOf('\t'));
}
