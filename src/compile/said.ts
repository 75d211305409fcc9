import { quoteText } from './fence.ts';

/** Shorter lines ("yes", "- done") prove no repetition. */
const MIN_LINE = 12;

/** What the prompt already says, so that nothing is said twice. */
export class Said {
  readonly #texts: { readonly where: string; readonly text: string }[] = [];

  add(where: string, said: string): void {
    const text = normalizeLine(quoteText(said));
    if (text !== '') this.#texts.push({ where, text });
  }

  /** Where all of it already stands; undefined when anything in it is new. */
  findRepeated(said: string): string | undefined {
    // As it would be quoted: a piece may be known here only by what was taken of it, which was.
    const lines = quoteText(said).split('\n').map(normalizeLine);
    const telling = lines.filter((line) => line.length >= MIN_LINE);
    if (telling.length === 0) return undefined;
    const places = telling.map((line) => this.#texts.find(({ text }) => text.includes(line))?.where);
    return places.every((where) => where !== undefined) ? places[0] : undefined;
  }
}

/** Emphasis, list marks and spacing do not make it something else. */
export function normalizeLine(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[*_`#>\s]+|(?:^|\n)\s*[-+]\s+/gu, ' ')
    .trim();
}
