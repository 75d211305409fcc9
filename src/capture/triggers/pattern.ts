import { foldings } from './fold.ts';
import type { Token } from './tokens.ts';
import type { Work } from './work.ts';

interface Element {
  readonly words: ReadonlySet<string>;
  readonly exact: ReadonlySet<string>;
  readonly isOptional: boolean;
  readonly isGap: boolean;
  readonly startsObject: boolean;
}

export interface Pattern {
  readonly elements: readonly Element[];
  readonly ahead: readonly Element[] | undefined;
  readonly notAhead: readonly (readonly Element[])[];
}

export interface Match {
  /** Index of the first token behind the phrase. */
  readonly end: number;
  /** The object when it stands inside the phrase ("remove … from your memory"). */
  readonly inner: { readonly start: number; readonly end: number } | undefined;
}

/** What a phrase's own words may be interrupted by; the number of tokens at this place, 0 for none. */
export type FillerAt = (tokens: readonly Token[], index: number) => number;

const MAX_GAP_WORDS = 10;
/** A quotation may be (part of) an object inside a phrase. */
const QUOTES = new Set('"“”„«»‹›');
const MAX_FILLERS = 3;
const END_OF_CLAUSE = '.';
/** A clause may end in these: "save this for later please". */
const POLITE = new Set(['please', 'pls', 'plz', 'thanks', 'bitte', 'danke', 'porfa', 'gracias', 'stp', 'svp', 'merci']);
/** Stands for one word, such as the name in "hey Aria". */
export const ANY_WORD = '*';

function parseElement(notation: string): Element {
  const startsObject = notation.startsWith('^');
  let body = startsObject ? notation.slice(1) : notation;
  if (body === '...') {
    return { words: new Set(), exact: new Set(), isOptional: false, isGap: true, startsObject };
  }
  const isOptional = body.length > 1 && body.endsWith('?');
  if (isOptional) body = body.slice(0, -1);
  const alternatives = body.split('|');
  return {
    words: new Set(alternatives.filter((word) => !word.startsWith('=')).flatMap(foldings)),
    exact: new Set(alternatives.filter((word) => word.startsWith('=')).map((word) => word.slice(1))),
    isOptional,
    isGap: false,
    startsObject,
  };
}

function parseElements(notation: string | undefined): readonly Element[] | undefined {
  const parts = notation?.split(/\s+/).filter((part) => part !== '');
  return parts === undefined || parts.length === 0 ? undefined : parts.map(parseElement);
}

/** The notation is described at RuleGroup.phrases. */
export function parsePattern(line: string): Pattern {
  const [beforeNot = '', ...notAhead] = line.split(' ! ');
  const [phrase = '', ahead] = beforeNot.split(' > ');
  return {
    elements: parseElements(phrase) ?? [],
    ahead: parseElements(ahead),
    notAhead: notAhead.map((notation) => parseElements(notation) ?? []),
  };
}

export function parsePatterns(lines: string): readonly Pattern[] {
  return lines
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map(parsePattern);
}

/** Every word the phrase can start with, or end with when `fromEnd`. */
export function edgeWords(pattern: Pattern, fromEnd: boolean): ReadonlySet<string> {
  const words = new Set<string>();
  for (const element of fromEnd ? pattern.elements.toReversed() : pattern.elements) {
    for (const word of element.words) words.add(word);
    if (!element.isOptional) break;
  }
  return words;
}

function fits(element: Element, token: Token | undefined, text: string): boolean {
  if (element.words.has(END_OF_CLAUSE) && (token === undefined || token.isMark || POLITE.has(token.word))) return true;
  if (token === undefined || token.word === '') return false;
  if (element.words.has(token.word) || (element.words.has(ANY_WORD) && !token.isMark)) return true;
  return element.exact.size > 0 && element.exact.has(text.slice(token.start, token.end).toLowerCase().normalize('NFC'));
}

interface Search {
  readonly elements: readonly Element[];
  readonly tokens: readonly Token[];
  readonly fillerAt: FillerAt;
}

/** Matches a phrase against the tokens of one sentence. Patterns are short, so going back is bounded by their length. */
export class Matcher {
  readonly #text: string;
  readonly #work: Work;

  constructor(text: string, work: Work) {
    this.#text = text;
    this.#work = work;
  }

  match(pattern: Pattern, tokens: readonly Token[], start: number, fillerAt: FillerAt): Match | undefined {
    const found = this.#forward({ elements: pattern.elements, tokens, fillerAt }, 0, start, undefined, 0);
    if (found === undefined) return undefined;
    if (pattern.ahead !== undefined && !this.#isAhead(pattern.ahead, tokens, found.end)) return undefined;
    const behindComma = found.end + (tokens[found.end]?.word === ',' ? 1 : 0);
    return pattern.notAhead.some((elements) => this.#isAhead(elements, tokens, behindComma)) ? undefined : found;
  }

  /** Where a phrase that ends before `end` starts; undefined when it does not stand there. */
  matchBackwards(pattern: Pattern, tokens: readonly Token[], end: number): number | undefined {
    return this.#backward(pattern.elements, pattern.elements.length - 1, tokens, end - 1);
  }

  #forward(
    search: Search,
    position: number,
    at: number,
    objectStart: number | undefined,
    fillers: number,
  ): Match | undefined {
    this.#work.steps += 1;
    const element = search.elements[position];
    if (element === undefined) return { end: at, inner: undefined };
    if (element.isGap) return this.#gap(search, position, at, objectStart);
    const token = search.tokens[at];
    if (token !== undefined && fits(element, token, this.#text)) {
      const start = element.startsObject ? at : objectStart;
      const found = this.#forward(search, position + 1, at + 1, start, fillers);
      if (found !== undefined) return found;
    }
    if (element.isOptional) {
      const found = this.#forward(search, position + 1, at, objectStart, fillers);
      if (found !== undefined) return found;
    }
    if (position === 0 || token === undefined || fillers >= MAX_FILLERS) return undefined;
    const filler = search.fillerAt(search.tokens, at);
    return filler > 0 ? this.#forward(search, position, at + filler, objectStart, fillers + 1) : undefined;
  }

  #gap(search: Search, position: number, at: number, objectStart: number | undefined): Match | undefined {
    for (let length = 1; length <= MAX_GAP_WORDS; length += 1) {
      const token = search.tokens[at + length - 1];
      if (token === undefined || (token.isMark && !QUOTES.has(token.word))) return undefined;
      const found = this.#forward(search, position + 1, at + length, undefined, 0);
      if (found !== undefined) return { end: found.end, inner: { start: objectStart ?? at, end: at + length } };
    }
    return undefined;
  }

  #backward(elements: readonly Element[], position: number, tokens: readonly Token[], at: number): number | undefined {
    this.#work.steps += 1;
    const element = elements[position];
    if (element === undefined) return at + 1;
    const token = tokens[at];
    if (token !== undefined && fits(element, token, this.#text)) {
      const found = this.#backward(elements, position - 1, tokens, at - 1);
      if (found !== undefined) return found;
    }
    return element.isOptional ? this.#backward(elements, position - 1, tokens, at) : undefined;
  }

  #isAhead(elements: readonly Element[], tokens: readonly Token[], start: number): boolean {
    const walk = (position: number, at: number): boolean => {
      this.#work.steps += 1;
      const element = elements[position];
      if (element === undefined) return true;
      if (element.isGap) {
        for (let length = 1; length <= MAX_GAP_WORDS && at + length <= tokens.length; length += 1) {
          if (tokens[at + length - 1]?.isMark === true) return false;
          if (walk(position + 1, at + length)) return true;
        }
        return false;
      }
      if (fits(element, tokens[at], this.#text) && walk(position + 1, at + 1)) return true;
      return element.isOptional && walk(position + 1, at);
    };
    return walk(0, start);
  }
}
