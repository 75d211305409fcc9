/**
 * The classes of words as lines of text, `\nword\tClass Class\n`, in which one word is found without reading the others: making
 * a map of 24,000 words takes longer than the few that a statement asks for.
 */
export function writeDictionary(classes: Readonly<Record<string, string | readonly string[] | undefined>>): string {
  const lines = Object.entries(classes).map(([word, tags = []]) => `${word}\t${[tags].flat().join(' ')}`);
  return `\n${lines.join('\n')}\n`;
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

function find(text: string, word: string): readonly string[] {
  const start = /[\t\n]/u.test(word) ? -1 : text.indexOf(`\n${word}\t`);
  if (start === -1) return [];
  const tags = text.slice(start + word.length + 2, text.indexOf('\n', start + 1));
  return tags === '' ? [] : tags.split(' ');
}
