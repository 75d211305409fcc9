import { quoteText } from './fence.ts';

/** Shorter lines ("yes", "- done") prove no repetition. */
const MIN_LINE = 12;

/** The content already in the prompt, so that nothing is repeated. */
export class Said {
  readonly #texts: { readonly where: string; readonly text: string }[] = [];
  readonly #lines = new Map<string, string>();

  /** Passages repeat each other line by line; what stands in a file may be part of a longer line there. */
  add(where: string, { lines, text }: Words, isPassage: boolean): void {
    if (!isPassage && text !== '') this.#texts.push({ where, text });
    for (const line of lines) if (!this.#lines.has(line)) this.#lines.set(line, where);
  }

  /** Where all of it already stands; undefined when anything in it is new. */
  findRepeated({ lines: [first, ...rest] }: Words): string | undefined {
    const place = first === undefined ? undefined : this.#find(first);
    return place !== undefined && rest.every((line) => this.#find(line) !== undefined) ? place : undefined;
  }

  #find(line: string): string | undefined {
    return this.#lines.get(line) ?? this.#texts.find(({ text }) => text.includes(line))?.where;
  }
}

/** The words of a text, without its formatting. */
export interface Words {
  /** The lines that tell something by themselves. */
  readonly lines: readonly string[];
  readonly text: string;
}

/** As it would be quoted: a piece may be known only by what was taken of it, which was. */
export function wordsOf(said: string): Words {
  const quoted = quoteText(said).split('\n').map(normalizeLine);
  return { lines: quoted.filter((line) => line.length >= MIN_LINE), text: quoted.join(' ') };
}

/** Emphasis, list marks and spacing do not make it something else. */
export function normalizeLine(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[*_`#>\s]+|(?:^|\n)\s*[-+]\s+/gu, ' ')
    .trim();
}
