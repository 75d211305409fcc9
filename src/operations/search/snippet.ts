import type { Style } from '../command-line/style.ts';

type Range = readonly [number, number];

interface SnippetShape {
  /** Columns a line may take. */
  readonly width: number;
  readonly maxLines: number;
}

interface Line {
  readonly text: string;
  readonly marks: readonly Range[];
}

/** A hit's best part as lines: the question's words stand out, and of a long part only what is around them is shown. */
export function snippetLines(
  style: Style,
  snippet: string,
  highlights: readonly Range[],
  { width, maxLines }: SnippetShape,
): string[] {
  const lines = splitLines(snippet, highlights).flatMap((line) => wrap(line, width));
  const first = chooseFirst(lines, maxLines);
  const shown = lines.slice(first, first + maxLines).map((line) => paint(style, line));
  const isCut = first + maxLines < lines.length;
  return shown.map((text, index) => {
    const before = index === 0 && first > 0 ? '… ' : '';
    return `${before}${text}${index === shown.length - 1 && isCut ? ' …' : ''}`;
  });
}

/** A day that stands above the words says what the hit's own line says already. */
const DAY = /^…?\d{1,2} \p{L}+ \d{4}$/u;

function splitLines(snippet: string, highlights: readonly Range[]): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const raw of snippet.split('\n')) {
    const indent = raw.length - raw.trimStart().length;
    const text = raw.trim().replaceAll(/\s/gu, ' ');
    const from = start + indent;
    if (text !== '' && !(lines.length === 0 && DAY.test(text))) {
      lines.push({ text, marks: within(highlights, from, from + text.length) });
    }
    start += raw.length + 1;
  }
  return lines;
}

/** The ranges inside a span, counted from its beginning. */
function within(ranges: readonly Range[], from: number, to: number): Range[] {
  return ranges.flatMap(([start, end]): Range[] =>
    end <= from || start >= to ? [] : [[Math.max(start, from) - from, Math.min(end, to) - from]],
  );
}

/** Cuts at spaces where there are some, and between characters where there are none. */
function wrap({ text, marks }: Line, width: number): Line[] {
  const lines: Line[] = [];
  let start = 0;
  while (start < text.length) {
    const fitting = fittingEnd(text, start, width);
    const space = fitting < text.length ? text.lastIndexOf(' ', fitting) : -1;
    const end = space > start ? space : fitting;
    lines.push({ text: text.slice(start, end), marks: within(marks, start, end) });
    start = text[end] === ' ' ? end + 1 : end;
  }
  return lines;
}

/** Takes two columns on a terminal: the scripts of East Asia, and pictures. */
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}/u;

function fittingEnd(text: string, start: number, width: number): number {
  let columns = 0;
  let end = start;
  for (const character of text.slice(start, start + width * 2)) {
    columns += WIDE.test(character) ? 2 : 1;
    if (columns > width && end > start) return end;
    end += character.length;
  }
  return end;
}

/** Lines that lead up to the first mark. */
const LEAD_LINES = 1;

/** Where to begin so that most of the marks are shown, the first of them near the top. */
function chooseFirst(lines: readonly Line[], maxLines: number): number {
  const last = Math.max(0, lines.length - maxLines);
  let best = 0;
  let bestMarks = 0;
  for (const [number, { marks }] of lines.entries()) {
    if (marks.length === 0) continue;
    const first = Math.min(last, Math.max(0, number - LEAD_LINES));
    const shown = lines.slice(first, first + maxLines).reduce((sum, line) => sum + line.marks.length, 0);
    if (shown > bestMarks) [best, bestMarks] = [first, shown];
  }
  return best;
}

function paint(style: Style, { text, marks }: Line): string {
  let painted = '';
  let end = 0;
  for (const [from, to] of marks) {
    painted += text.slice(end, from) + style.bold(style.yellow(text.slice(from, to)));
    end = to;
  }
  return painted + text.slice(end);
}
