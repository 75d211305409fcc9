import type { Work } from './work.ts';

export interface Line {
  readonly start: number;
  readonly end: number;
  /** The first characters, enough to tell what kind of line it is. */
  readonly head: string;
}

/** Why a part of a message is not its author's own words. */
export type Reason =
  | 'fence'
  | 'code'
  | 'comment'
  | 'heading'
  | 'block quote'
  | 'quotation'
  | 'table'
  | 'song'
  | 'markup'
  | 'data'
  | 'log'
  | 'diff'
  | 'document'
  | 'dialogue'
  | 'mail'
  | 'forwarded'
  | 'delimited'
  | 'announced'
  | 'role play'
  | 'given to work on';

export type Cover = (start: number, end: number, reason: Reason) => void;

/** Longer than any introduction; keeps the work per line bounded. */
export const HEAD_CHARS = 400;

const WIDE_COLON = /[：﹕︰]/u;
const WIDE_COLONS = /[：﹕︰]/gu;

export function splitLines(text: string, work: Work): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    const head = text.slice(start, Math.min(end, start + HEAD_CHARS));
    lines.push({ start, end, head: WIDE_COLON.test(head) ? head.replaceAll(WIDE_COLONS, ':') : head });
    work.steps += end - start + 1;
    start = end + 1;
  }
  return lines;
}

export function isBlank({ head }: Line): boolean {
  return head.trim() === '';
}

/** The last line before the next blank one. */
export function endOfParagraph(lines: readonly Line[], from: number): number {
  let last = from;
  for (let next = lines[last + 1]; next !== undefined && !isBlank(next); next = lines[last + 1]) last += 1;
  return last;
}

export function coverLines(lines: readonly Line[], from: number, to: number, reason: Reason, cover: Cover): void {
  const [first, last] = [lines[from], lines[Math.min(to, lines.length - 1)]];
  if (first !== undefined && last !== undefined && from <= to) cover(first.start, last.end, reason);
}
