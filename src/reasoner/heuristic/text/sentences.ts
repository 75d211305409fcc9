import { takeOpeners } from '../clauses/openers.ts';

const ABBREVIATION =
  /(?:^|[\s(])(?:e\.g|i\.e|etc|vs|approx|ca|incl|resp|dr|mr|mrs|ms|prof|st|no|nr|tel|z\.b|d\.h|bzw|usw|sr|sra|mme|p\.ej|max|min)\.$/iu;

/** "before 10. Also …", "until april 30. …": no ordinal and no item's number. */
const ENDS_IN_FIGURE =
  /\b(?:before|after|at|by|until|till|to|than|of|is|are|was|and|only|just|max|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?) \d{1,2}\.$/iu;

/** A list's marker in front of an item. */
const MARKER = /^\s*(?:[-*•–]\s+|\(?\d{1,2}[.)]\s+|\[[ x]\]\s+)/iu;

export interface Sentence {
  readonly text: string;
  /** Ends in a question mark. */
  readonly isAsked: boolean;
  /** Stood behind a list's marker. */
  readonly isListed: boolean;
  /** The number of its line in the text. */
  readonly line: number;
  /** Where a list's number stood. */
  readonly number?: number | undefined;
}

/** Sentences of a text as people type it: line breaks end one, as do stops that are no part of a number or a name. */
export function splitSentences(text: string): Sentence[] {
  return text.split('\n').flatMap((line, place) => {
    const marker = MARKER.exec(line)?.[0];
    const body = marker === undefined ? line : line.slice(marker.length);
    const number = marker === undefined ? undefined : /\d+/u.exec(marker)?.[0];
    return joinFragments(splitLine(stripMarkup(body))).map((sentence) => ({
      text: sentence,
      isAsked: /\?[\s"')!?]*$/u.test(sentence),
      isListed: marker !== undefined,
      line: place,
      number: number === undefined ? undefined : Number(number),
    }));
  });
}

function stripMarkup(line: string): string {
  return line
    .replace(/^\s*#{1,6}\s+/u, '')
    .replaceAll(/\*\*|__/gu, '')
    .replaceAll(/!?\[([^\]]+)\]\([^)]*\)/gu, '$1')
    .trim();
}

/** "Sweet paprika. From Szeged." is one statement in pieces: a fragment of a word or two belongs to what stands before. */
function joinFragments(sentences: readonly string[]): string[] {
  const joined: string[] = [];
  for (const sentence of sentences) {
    const previous = joined.at(-1);
    const isFragment =
      sentence.split(/\s+/u).length <= 2 && !/[?!]$/u.test(sentence) && takeOpeners(sentence).openers.length === 0;
    if (previous !== undefined && isFragment && !/\?\W*$/u.test(previous) && previous.split(/\s+/u).length > 1) {
      joined[joined.length - 1] = `${previous.replace(/[.…\s]+$/u, '')}, ${sentence}`;
    } else joined.push(sentence);
  }
  return joined;
}

function splitLine(line: string): string[] {
  const sentences: string[] = [];
  let start = 0;
  let isInCode = false;
  let isInQuote = false;
  for (let index = 0; index < line.length; index += 1) {
    const sign = line[index];
    if (sign === '`') isInCode = !isInCode;
    if (sign === '"') isInQuote = !isInQuote && line.includes('"', index + 1);
    if (isInCode || isInQuote) continue;
    if (!isEnd(line, start, index)) continue;
    sentences.push(line.slice(start, index + 1));
    start = index + 1;
  }
  sentences.push(line.slice(start));
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

function isEnd(line: string, start: number, index: number): boolean {
  const sign = line.charAt(index);
  if (sign === ';') return line[index + 1] === ' ';
  // A smiley ends a sentence.
  if (sign === ')' && /[:;]-?\)$/u.test(line.slice(start, index + 1))) return /^ \p{Lu}/u.test(line.slice(index + 1));
  if (!'.!?…'.includes(sign))
    return (
      line[index + 1] === ' ' &&
      /\p{Extended_Pictographic}\uFE0F?$/u.test(line.slice(Math.max(0, index - 2), index + 1))
    );
  const next = line.charAt(index + 1);
  if (next !== '' && !/[\s)"']/u.test(next)) return false;
  if (sign !== '.') return true;
  if (/(?:^|\s)\p{L}\.$/u.test(line.slice(start, index + 1)) && /^\s\p{Ll}/u.test(line.slice(index + 1))) return false;
  const said = line.slice(start, index + 1);
  return !ABBREVIATION.test(said) && (!/(?:^|\s)\d{1,2}\.$/u.test(said) || ENDS_IN_FIGURE.test(said));
}
