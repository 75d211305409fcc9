import type { Chances } from './judge.ts';

/** Letters and figures in a row, by their characters. */
export interface Word {
  readonly start: number;
  readonly end: number;
}

interface Span {
  readonly first: number;
  readonly last: number;
}

/** A name as it stands in a text, by its first and last word. */
export interface PlacedName extends Span {
  readonly name: string;
}

/** From here on a word begins no name. Asking about too many costs little: most of them are in no relation. */
const NO_NAME = 0.7;
/** From here on a word is no part of the name before it. */
const LEFT_OUT = 0.5;
/** Allowed between two words of one name: "checkout-api", "O'Brien", "Port Erlin". */
const INSIDE_NAME = /^[^,;:!?()[\]"“”\n]{1,2}$/u;

/** As `training/mneme_model/relations.py` cuts a message. */
export function wordsIn(text: string): Word[] {
  return Array.from(text.matchAll(/[\p{L}\p{N}]+/gu), ({ 0: word, index }) => ({
    start: index,
    end: index + word.length,
  }));
}

/** Names by the chances of each word that it begins one, goes on with one or is part of none. */
export function namesMarked(text: string, words: readonly Word[], marks: readonly Chances[]): PlacedName[] {
  const found: { -readonly [Key in keyof Span]: Span[Key] }[] = [];
  for (const [place, { begin = 0, inside = 0, out = 1 }] of marks.entries()) {
    const current = found.at(-1);
    const between = text.slice(words[place - 1]?.end ?? 0, words[place]?.start);
    if (current?.last === place - 1 && inside > begin && INSIDE_NAME.test(between)) {
      if (out < LEFT_OUT) current.last = place;
    } else if (out < NO_NAME) found.push({ first: place, last: place });
  }
  return found
    .map((each) => wholeToken(text, words, each))
    .map(({ first, last }) => ({ name: text.slice(words[first]?.start, words[last]?.end), first, last }));
}

/** "svc" of "svc-permits" is no name: what is written together is one. */
function wholeToken(text: string, words: readonly Word[], { first, last }: Span): Span {
  const isJoined = (place: number): boolean =>
    /^[-_.]$/u.test(text.slice(words[place]?.end, words[place + 1]?.start ?? 0));
  let [from, to] = [first, last];
  while (from > 0 && isJoined(from - 1)) from -= 1;
  while (to < words.length - 1 && isJoined(to)) to += 1;
  return { first: from, last: to };
}

/** Given names where they first stand in a text as whole words, whatever their capitals. */
export function findNames(text: string, words: readonly Word[], names: readonly string[]): PlacedName[] {
  const lower = text.toLowerCase();
  return names.flatMap((name) => {
    const bare = name.toLowerCase().replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');
    if (bare === '') return [];
    for (let at = lower.indexOf(bare); at !== -1; at = lower.indexOf(bare, at + 1)) {
      const [start, end] = [at, at + bare.length];
      const first = words.findIndex((word) => word.start === start);
      const last = words.findIndex((word) => word.end === end);
      if (first !== -1 && last !== -1) return [{ name, first, last }];
    }
    return [];
  });
}

/** Each name once, and none inside another: the earlier in the list counts. */
export function joinNames(names: readonly PlacedName[]): PlacedName[] {
  const kept: PlacedName[] = [];
  for (const name of names) {
    const isTaken = kept.some(
      (other) =>
        other.name.toLowerCase() === name.name.toLowerCase() || (other.first <= name.last && name.first <= other.last),
    );
    if (!isTaken) kept.push(name);
  }
  return kept;
}
