import { fold } from './fold.ts';
import { findQuotations } from './quotations.ts';
import {
  CREATION_VERBS,
  LABEL_WORDS,
  MACHINE_NOUNS,
  MAIL_HEADERS,
  MAIL_MARKS,
  MEMORY_VERBS,
  ROLE_PLAY,
  TEXT_NOUNS,
  TRANSFORM_VERBS,
  WORK_NOUNS,
} from './shield-words.ts';
import type { Work } from './work.ts';

/** Which places of a message are not the person's own words to the agent. */
export interface Shield {
  covers(index: number): boolean;
}

interface Line {
  readonly start: number;
  readonly end: number;
  /** The first characters, enough to tell what kind of line it is. */
  readonly head: string;
}

/** Longer than any introduction; keeps the work per line bounded. */
const HEAD_CHARS = 400;
const INTRODUCTION_WORDS = 30;
const MAX_LOOKED_THROUGH = 100_000;
const LABEL = /^\s*(?:[-*]\s+)?\**(\p{L}[\p{L}.'’-]{0,30}(?: \p{L}[\p{L}.'’-]{0,30})?)\**\s?:\**\s+\S/u;
const SEPARATOR = /^\s*(-{3,}|={3,}|\*{3,}|_{3,})\s*$/;
const FORWARDED = /^\s*-{3,}\s*\p{L}/u;

export function raiseShield(text: string, work: Work): Shield {
  const covered = new Uint8Array(text.length);
  const cover = (start: number, end: number): void => {
    covered.fill(1, start, end);
    work.steps += 1;
  };
  const lines = splitLines(text, work);
  coverBlocks(text, lines, cover);
  coverDocument(lines, cover);
  coverDialogues(lines, cover);
  coverIntroduced(text, lines, covered, cover);
  findQuotations(text, work, (start, end) => {
    if (covered[start] !== 1) cover(start, end);
  });
  return { covers: (index) => covered[index] === 1 };
}

/** A message with blanks where the words are not the person's own: every place stays where it is. */
export function ownWords(text: string): string {
  const shield = raiseShield(text, { steps: 0 });
  let own = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    own += sign !== '\n' && shield.covers(at) ? ' ' : sign;
  }
  return own;
}

/**
 * A message without what it only hands over: what follows "translate: …", "summarise this:", "here is the mail:", or a
 * forwarded message. Bounded, because a pasted book is handed over too.
 */
export function withoutHandedOver(text: string): string {
  if (text.length > MAX_LOOKED_THROUGH) return text;
  const covered = new Uint8Array(text.length);
  coverIntroduced(text, splitLines(text, { steps: 0 }), covered, (start, end) => covered.fill(1, start, end));
  if (!covered.includes(1)) return text;
  return Array.from(text.matchAll(/./gsu), ({ 0: sign, index }) => (covered[index] === 1 ? '' : sign)).join('');
}

function splitLines(text: string, work: Work): readonly Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start <= text.length) {
    const found = text.indexOf('\n', start);
    const end = found === -1 ? text.length : found;
    lines.push({ start, end, head: text.slice(start, Math.min(end, start + HEAD_CHARS)) });
    work.steps += end - start + 1;
    start = end + 1;
  }
  return lines;
}

type Cover = (start: number, end: number) => void;

/** Fences, comments, indented code, headings, block quotes, songs. */
function coverBlocks(text: string, lines: readonly Line[], cover: Cover): void {
  let closes: ((head: string) => boolean) | undefined;
  let afterBlankOrCode = true;
  for (const line of lines) {
    const trimmed = line.head.trim();
    const isIndented: boolean = /^( {4}|\t)/.test(line.head) && afterBlankOrCode && !/^([-*•]|\d+[.)])\s/.test(trimmed);
    if (closes !== undefined) {
      cover(line.start, line.end);
      if (closes(trimmed) || text.startsWith('-->', line.end - 3)) closes = undefined;
      continue;
    }
    closes = openingOf(trimmed);
    const isHeading = /^#{1,6}\s/.test(trimmed);
    if (closes !== undefined || isHeading || isIndented || /^(>|\/\/|--\s|\*\/|\|.*\|$)/.test(trimmed)) {
      cover(line.start, line.end);
    } else if (trimmed.includes('♪') || trimmed.includes('♫')) cover(line.start, line.end);
    if (closes?.(trimmed.slice(3)) === true) closes = undefined;
    afterBlankOrCode = trimmed === '' || isIndented;
  }
}

/** From the first of two headings on it is a document, which speaks to its readers. */
function coverDocument(lines: readonly Line[], cover: Cover): void {
  const headings = lines.filter(({ head }) => /^\s*#{1,6}\s/u.test(head));
  const first = headings[0];
  if (first !== undefined && headings.length >= 2) cover(first.start, lines.at(-1)?.end ?? first.end);
}

function openingOf(trimmed: string): ((head: string) => boolean) | undefined {
  const fence = /^(`{3,}|~{3,})/.exec(trimmed)?.[1];
  if (fence !== undefined) return (head) => head.startsWith(fence);
  if (trimmed.startsWith('/*')) return (head) => head.includes('*/');
  if (trimmed.startsWith('<!--')) return (head) => head.includes('-->');
  return undefined;
}

/** "Tom: …" twice is a dialogue or a form: nobody speaks to the agent there. */
function coverDialogues(lines: readonly Line[], cover: Cover): void {
  const labels = lines.map((line) => {
    const label = LABEL.exec(line.head)?.[1];
    return label === undefined ? undefined : fold(label.split(' ')[0] ?? '');
  });
  const isMailHeader = (index: number): boolean => MAIL_HEADERS.has(labels[index] ?? '');
  const mail = lines.findIndex((_, index) => isMailHeader(index) && isMailHeader(index + 1));
  if (mail !== -1) cover(lines[mail]?.start ?? 0, lines.at(-1)?.end ?? 0);
  const isForeign = (index: number): boolean => {
    const label = labels[index];
    return label !== undefined && !LABEL_WORDS.has(label) && !MEMORY_VERBS.has(label);
  };
  const foreign = lines.filter((_, index) => isForeign(index)).length;
  for (const [index, line] of lines.entries()) {
    const label = labels[index];
    if (label === undefined) continue;
    const besideForeign = isForeign(index - 1) || isForeign(index + 1);
    if (isForeign(index) ? foreign >= 2 : LABEL_WORDS.has(label) && besideForeign) cover(line.start, line.end);
  }
}

/** What a line announces: "translate: …", "here is the email:", "Jan wrote:", a role play. */
function coverIntroduced(text: string, lines: readonly Line[], covered: Uint8Array, cover: Cover): void {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || (covered[line.start] === 1 && line.end > line.start)) continue;
    const found = findIntroduction(line);
    if (found === undefined) continue;
    cover(line.start + found.from, line.end);
    const lastLine = lastIntroduced(lines, index, found.reach, covered);
    const last = lines[lastLine];
    if (last !== undefined) cover(line.end, last.end);
    index = lastLine;
    if (last?.end === text.length) return;
  }
}

type Reach = 'line' | 'paragraph' | 'separator' | 'message';

function lastIntroduced(lines: readonly Line[], index: number, reach: Reach, covered: Uint8Array): number {
  if (reach === 'line') return index;
  if (reach === 'message') return lines.length - 1;
  // A fence or a block quote below is what was announced, and is covered already.
  const below = lines.slice(index + 1, index + 3).find(({ head }) => head.trim() !== '');
  if (below !== undefined && covered[below.start] === 1) return index;
  let last = index;
  while (last + 1 < lines.length) {
    const head = lines[last + 1]?.head ?? '';
    if (reach === 'separator' ? SEPARATOR.test(head) : head.trim() === '' && last > index) break;
    last += 1;
  }
  return last;
}

function findIntroduction(line: Line): { readonly from: number; readonly reach: Reach } | undefined {
  if (/^\s*[$%] \S/.test(line.head)) return { from: 0, reach: 'paragraph' };
  if (FORWARDED.test(line.head)) return { from: 0, reach: 'message' };
  const folded = fold(line.head);
  if (ROLE_PLAY.some((phrase) => folded.includes(phrase))) return { from: 0, reach: 'paragraph' };
  let colon = line.head.indexOf(':');
  for (let tries = 0; colon !== -1 && tries < 3; tries += 1) {
    const isLast = line.end - line.start <= HEAD_CHARS && line.head.slice(colon + 1).trim() === '';
    const reach = reachOf(wordsBefore(line.head, colon), isLast);
    if (reach !== undefined) return { from: colon, reach };
    colon = line.head.indexOf(':', colon + 1);
  }
  return undefined;
}

function wordsBefore(head: string, colon: number): readonly string[] {
  const before = head.slice(0, colon);
  const sentence = before.slice(
    Math.max(before.lastIndexOf('. '), before.lastIndexOf('! '), before.lastIndexOf('? ')) + 1,
  );
  return sentence
    .split(/[^\p{L}\p{N}'’-]+/u)
    .filter((word) => word !== '')
    .slice(-INTRODUCTION_WORDS)
    .map(fold);
}

function reachOf(words: readonly string[], isLast: boolean): Reach | undefined {
  if (isLast && words.slice(-4).some((word) => MAIL_MARKS.has(word))) return 'message';
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (has(TRANSFORM_VERBS)) return isLast ? 'separator' : 'line';
  if (has(MEMORY_VERBS)) return undefined;
  if (isLast && has(MACHINE_NOUNS)) return 'paragraph';
  if (has(WORK_NOUNS) && has(CREATION_VERBS)) return isLast ? 'separator' : 'line';
  if (!has(TEXT_NOUNS)) return undefined;
  if (isLast) return 'separator';
  return has(CREATION_VERBS) || words.length <= 2 ? 'line' : undefined;
}
