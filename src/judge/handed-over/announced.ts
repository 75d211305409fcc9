import { askOf } from './asks.ts';
import { coverLines, endOfParagraph, HEAD_CHARS, isBlank, type Cover, type Line, type Reason } from './lines.ts';
import {
  CREATION_VERBS,
  MACHINE_NOUNS,
  MAIL_MARKS,
  MEMORY_VERBS,
  ROLE_PLAY,
  TEXT_NOUNS,
  TRANSFORM_VERBS,
  WORK_NOUNS,
  fold,
} from './words.ts';
import { cutSentences } from './sentences.ts';

const INTRODUCTION_WORDS = 30;
const SEPARATOR = /^\s*(-{3,}|={3,}|\*{3,}|_{3,})\s*$/;

type Reach = 'line' | 'paragraph' | 'separator' | 'message';

interface Introduction {
  readonly from: number;
  readonly reach: Reach;
  readonly reason: Reason;
}

/** Covers what a line announces before a colon: "translate: …", "here is the email:", "Jan wrote:", a role play. */
export function coverAnnounced(
  text: string,
  lines: readonly Line[],
  isCovered: (line: Line) => boolean,
  cover: Cover,
): void {
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index];
    if (line === undefined || (isCovered(line) && line.end > line.start)) continue;
    const found = findIntroduction(line);
    if (found === undefined) continue;
    cover(line.start + found.from, line.end, found.reason);
    const lastLine = lastIntroduced(lines, index, found.reach, isCovered);
    coverLines(lines, index + 1, lastLine, found.reason, cover);
    index = lastLine;
    if (lines[lastLine]?.end === text.length) return;
  }
}

function lastIntroduced(
  lines: readonly Line[],
  index: number,
  reach: Reach,
  isCovered: (line: Line) => boolean,
): number {
  if (reach === 'line') return index;
  // A fence or a block quote below is what was announced, and is covered already.
  const below = lines.slice(index + 1, index + 3).find((line) => !isBlank(line));
  if (below !== undefined && isCovered(below)) return index;
  if (reach === 'message') return lines.length - 1;
  if (reach === 'paragraph') {
    const next = lines[index + 1];
    return endOfParagraph(lines, next !== undefined && isBlank(next) ? index + 1 : index);
  }
  return endOfSeparated(lines, index);
}

/** A line of dashes ends it only where another one began it: texts have such lines of their own. */
function endOfSeparated(lines: readonly Line[], index: number): number {
  const first = lines.slice(index + 1, index + 3).find((line) => !isBlank(line));
  if (first === undefined || !SEPARATOR.test(first.head)) return lines.length - 1;
  const end = lines.findLastIndex((line) => line.start > first.start && SEPARATOR.test(line.head));
  return end === -1 ? lines.length - 1 : end;
}

function findIntroduction(line: Line): Introduction | undefined {
  const folded = fold(line.head);
  if (ROLE_PLAY.some((phrase) => folded.includes(phrase))) return { from: 0, reach: 'paragraph', reason: 'role play' };
  let colon = line.head.indexOf(':');
  for (let tries = 0; colon !== -1 && tries < 3; tries += 1) {
    const isLast = line.end - line.start <= HEAD_CHARS && line.head.slice(colon + 1).trim() === '';
    const reach = reachOf(wordsBefore(line.head, colon), isLast, () => isShown(line.head, colon));
    if (reach !== undefined) return { from: colon, reach, reason: 'announced' };
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
    .split(/[^\p{L}\p{N}\p{Cf}'’-]+/u)
    .filter((word) => word !== '')
    .slice(-INTRODUCTION_WORDS)
    .map(fold);
}

/** "Here's what my landlord wrote: …" shows a text; "let it be written: …" does not. */
function isShown(head: string, colon: number): boolean {
  const sentence = cutSentences(head.slice(0, colon)).at(-1);
  return sentence !== undefined && askOf(head.slice(sentence.start, colon + 1))?.ask === 'shown';
}

function reachOf(words: readonly string[], isLast: boolean, shows: () => boolean): Reach | undefined {
  const has = (set: ReadonlySet<string>): boolean => words.some((word) => set.has(word));
  if (isLast && words.slice(-5).some((word) => MAIL_MARKS.has(word))) return 'message';
  if (!isLast && shows()) return 'message';
  if (has(TRANSFORM_VERBS)) return isLast ? 'separator' : 'message';
  if (has(MEMORY_VERBS)) return undefined;
  if (isLast && has(MACHINE_NOUNS)) return 'paragraph';
  if (has(WORK_NOUNS) && has(CREATION_VERBS)) return isLast ? 'separator' : 'line';
  if (!has(TEXT_NOUNS)) return undefined;
  if (isLast) return 'separator';
  return has(CREATION_VERBS) || words.length <= 2 ? 'line' : undefined;
}
