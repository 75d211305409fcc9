import { containment, contentWords, stemOf } from '../../reasoner/heuristic/text/words.ts';

/** Longer messages hand something over or tell a story; nobody says them twice. */
const MAX_CHARS = 200;
/** "thanks", "go on": one word asks for nothing in particular. */
const MIN_WORDS = 2;
/** Two requests that share so much are the same one with something else in it: another day, another version. */
const SAME_REQUEST = 0.75;
const SHOWN_CHARS = 60;
const FIGURE = /\d/u;

/** Gives requests names, the same to those that ask for the same; the first wording is the name, so that it stays. */
export class RequestNames {
  readonly #known: { readonly name: string; readonly stems: ReadonlySet<string> }[] = [];
  readonly #byStem = new Map<string, Set<number>>();

  /** undefined for what asks for nothing that could come again. Requests are given in the order of their time. */
  nameOf(text: string): string | undefined {
    const said = text.trim();
    if (said.length > MAX_CHARS || said.includes('\n\n')) return undefined;
    const stems = new Set(contentWords(said.replaceAll(/\S*\d\S*/gu, ' ')).map(stemOf));
    if (stems.size < MIN_WORDS) return undefined;
    const places = new Set([...stems].flatMap((stem) => Array.from(this.#byStem.get(stem) ?? [])));
    const same = [...places]
      .toSorted((one, other) => one - other)
      .find((place) => isSame(stems, this.#known[place]?.stems));
    if (same !== undefined) return this.#known[same]?.name;
    const name = shown(said);
    const place = this.#known.push({ name, stems }) - 1;
    for (const stem of stems) this.#byStem.set(stem, (this.#byStem.get(stem) ?? new Set()).add(place));
    return name;
  }
}

function isSame(stems: ReadonlySet<string>, known: ReadonlySet<string> | undefined): boolean {
  if (known === undefined) return false;
  const [small, large] = stems.size <= known.size ? [stems, known] : [known, stems];
  // A short request stands in many long ones, which ask for something else besides.
  return containment(small, large) >= SAME_REQUEST && small.size >= large.size * SAME_REQUEST;
}

function shown(text: string): string {
  const bare = text
    .replaceAll(/\s+/gu, ' ')
    .replace(/[.!?\s]+$/u, '')
    .toLowerCase();
  const words = bare.split(' ').filter((word) => !FIGURE.test(word));
  const line = words.join(' ');
  return line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS - 1)}…` : line;
}
