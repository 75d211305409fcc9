/** A word of a text with its place, and the form in which names and vocabulary are compared. */
export interface Word {
  readonly raw: string;
  readonly folded: string;
  readonly start: number;
  readonly end: number;
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;

export function splitWords(text: string): Word[] {
  return [...text.matchAll(WORD)].map((match) => ({
    raw: match[0],
    folded: foldText(match[0]),
    start: match.index,
    end: match.index + match[0].length,
  }));
}

/** Lower case without accents: "José" and "jose" are the same name. */
export function foldText(text: string): string {
  const lower = text.toLowerCase();
  return /^[\x20-\x7E]*$/u.test(lower)
    ? lower
    : lower
        .normalize('NFKD')
        .replaceAll(/\p{M}+/gu, '')
        .replaceAll('ß', 'ss');
}

/** Folded character by character, so that places in the result are places in the text. */
export function foldInPlace(text: string): string {
  let folded = '';
  for (const character of text) {
    const plain = foldText(character);
    folded += plain.length === character.length ? plain : character;
  }
  return folded;
}

/** Whether a word begins a sentence: its capital letter then says nothing. */
export function startsSentence(text: string, start: number): boolean {
  return /(?:^|[.!?\n:])[\s"'“”„«»(¿¡]*$/u.test(text.slice(Math.max(0, start - 8), start));
}
