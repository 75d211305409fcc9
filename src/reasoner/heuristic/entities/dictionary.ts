/**
 * The classes of words as sorted lines of text, `word\tClass Class`, in which a word is found without reading the others: making
 * a map of 24,000 words takes longer than the few that a statement asks for.
 */
export function writeDictionary(classes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const lines = Object.entries(classes).map(([word, tags = []]) => `${word}\t${[tags].flat().join(' ')}\n`);
  // By code units, as words are compared when one is looked up.
  return lines.sort((one, other) => (wordOf(one) < wordOf(other) ? -1 : 1)).join('');
}

/** Looks words up in what `writeDictionary` wrote. */
export function readDictionary(text: string): (word: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (word) => {
    const found = known.get(word) ?? find(text, word);
    known.set(word, found);
    return found;
  };
}

function find(text: string, wanted: string): readonly string[] {
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const start = middle === 0 ? 0 : text.lastIndexOf('\n', middle - 1) + 1;
    const end = text.indexOf('\n', start);
    const line = text.slice(start, end);
    const word = wordOf(line);
    if (word === wanted) return line.length > word.length + 1 ? line.slice(word.length + 1).split(' ') : [];
    if (word < wanted) low = end + 1;
    else high = start;
  }
  return [];
}

function wordOf(line: string): string {
  return line.slice(0, line.indexOf('\t'));
}
