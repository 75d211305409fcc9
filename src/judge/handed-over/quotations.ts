import type { Work } from './lines.ts';

interface QuoteStyle {
  readonly closers: string;
  /** Straight quotes open and close with one character: their neighbours tell which it is. */
  readonly isStraight: boolean;
  /** Single quotes look like apostrophes, so they pair only within a line. */
  readonly withinLine: boolean;
}

const STYLES: ReadonlyMap<string, QuoteStyle> = new Map([
  ['"', { closers: '"', isStraight: true, withinLine: false }],
  ["'", { closers: "'", isStraight: true, withinLine: true }],
  ['“', { closers: '”', isStraight: false, withinLine: false }],
  ['„', { closers: '“”"', isStraight: false, withinLine: false }],
  ['«', { closers: '»', isStraight: false, withinLine: false }],
  ['»', { closers: '«', isStraight: true, withinLine: false }],
  ['‹', { closers: '›', isStraight: false, withinLine: false }],
  ['‘', { closers: '’', isStraight: true, withinLine: true }],
  ['‚', { closers: '‘’', isStraight: true, withinLine: true }],
  ['「', { closers: '」', isStraight: false, withinLine: false }],
  ['`', { closers: '`', isStraight: false, withinLine: true }],
  ['*', { closers: '*', isStraight: true, withinLine: true }],
]);

const BEFORE_OPENING = /[\s([{—–:,;¿¡*>/-]/;
const WORD = /[\p{L}\p{N}]/u;
/** Fewer words between asterisks are emphasis, more are stage directions of a role play. */
const STAGE_DIRECTION_SPACES = 2;

/** Finds what is quoted, code in backticks, and *stage directions*; calls `mark` with each span. */
export function findQuotations(text: string, work: Work, mark: (start: number, end: number) => void): void {
  /** Up to where each style is known to have no closing character: keeps unclosed quotes from being searched again. */
  const unclosedUntil = new Map<string, number>();
  let at = 0;
  while (at < text.length) {
    work.steps += 1;
    const opener = text.charAt(at);
    const style = isLetterCode(text.charCodeAt(at)) ? undefined : STYLES.get(opener);
    if (style === undefined || at < (unclosedUntil.get(opener) ?? 0) || !opens(text, at, style)) {
      at += 1;
      continue;
    }
    const found = findClosing(text, at, style, work);
    if (found.closing === undefined) {
      unclosedUntil.set(opener, found.searchedTo);
      at += 1;
    } else if (opener === '*' && countSpaces(text, at, found.closing) < STAGE_DIRECTION_SPACES) {
      at = found.closing + 1;
    } else {
      mark(at, found.closing + 1);
      at = found.closing + 1;
    }
  }
}

function isLetterCode(code: number): boolean {
  return (code >= 97 && code <= 122) || code === 32 || (code >= 65 && code <= 90);
}

function opens(text: string, at: number, style: QuoteStyle): boolean {
  const next = text.charAt(at + 1);
  if (text.charAt(at) === '*' && (next === '*' || text.charAt(at - 1) === '*')) return false;
  if (!style.isStraight) return next !== '';
  const before = text.charAt(at - 1);
  return (before === '' || BEFORE_OPENING.test(before)) && next !== '' && !/\s/.test(next);
}

function findClosing(
  text: string,
  opening: number,
  style: QuoteStyle,
  work: Work,
): { readonly closing: number | undefined; readonly searchedTo: number } {
  let at = opening + 1;
  for (; at < text.length; at += 1) {
    work.steps += 1;
    const character = text.charAt(at);
    if (character === '\n' && (style.withinLine || /^\n[ \t]*(\n|$)/.test(text.slice(at, at + 40)))) break;
    if (!style.closers.includes(character)) continue;
    const closesWord = !/\s/.test(text.charAt(at - 1)) && !WORD.test(text.charAt(at + 1));
    if (!style.isStraight || (closesWord && at > opening + 1)) return { closing: at, searchedTo: at };
  }
  return { closing: undefined, searchedTo: at };
}

function countSpaces(text: string, start: number, end: number): number {
  let spaces = 0;
  for (let at = start; at < end && spaces < STAGE_DIRECTION_SPACES; at += 1) {
    if (text.charAt(at) === ' ') spaces += 1;
  }
  return spaces;
}
