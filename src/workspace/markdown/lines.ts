import type { MarkdownDocument } from './document.ts';

/** One line of a text, located and measured once so that the scanner can look ahead freely. */
export interface Line {
  readonly start: number;
  /** The offset behind the line end. */
  readonly end: number;
  /** Indentation in columns, a tab reaching the next multiple of four. */
  readonly indent: number;
  /** The line without indentation and line end; empty for a blank line. */
  readonly text: string;
}

const TAB = 9;
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;
const SPACE = 32;

/** The column after the character `code` that stands in `column`. */
export function columnAfter(code: number, column: number): number {
  return code === TAB ? column + 4 - (column % 4) : column + 1;
}

export function readLines(text: string, from = 0): Line[] {
  const lines: Line[] = [];
  let start = from;
  while (start < text.length) {
    const feed = text.indexOf('\n', start);
    const end = feed === -1 ? text.length : feed + 1;
    const contentEnd = end - eolLength(text, end);
    let first = start;
    let indent = 0;
    for (; first < contentEnd; first += 1) {
      const code = text.charCodeAt(first);
      if (code !== SPACE && code !== TAB) break;
      indent = columnAfter(code, indent);
    }
    lines.push({ start, end, indent, text: text.slice(first, contentEnd) });
    start = end;
  }
  return lines;
}

/** The length of the line end that stands directly before `end`: 0, 1 or 2. */
function eolLength(text: string, end: number): number {
  if (text.charCodeAt(end - 1) !== LINE_FEED) return 0;
  return text.charCodeAt(end - 2) === CARRIAGE_RETURN ? 2 : 1;
}

export function withoutFinalEol(text: string): string {
  const length = eolLength(text, text.length);
  return length === 0 ? text : text.slice(0, -length);
}

export function endsWithEol(text: string): boolean {
  return text.endsWith('\n');
}

/** The line end most lines of `text` use; LF where neither prevails. */
export function dominantEol(text: string): MarkdownDocument['eol'] {
  let lineFeeds = 0;
  let pairs = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) {
    lineFeeds += 1;
    if (text.charCodeAt(at - 1) === CARRIAGE_RETURN) pairs += 1;
  }
  return pairs * 2 > lineFeeds ? '\r\n' : '\n';
}

/** `text` with every line end turned into `eol`. */
export function withEol(text: string, eol: MarkdownDocument['eol']): string {
  if (eol === '\n') return text.includes('\r\n') ? text.replaceAll('\r\n', '\n') : text;
  return text.replaceAll(/\r?\n/g, '\r\n');
}

export function countLines(text: string): number {
  let feeds = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) feeds += 1;
  return text === '' || endsWithEol(text) ? feeds : feeds + 1;
}
