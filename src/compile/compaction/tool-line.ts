import { cutText } from '../../model/text.ts';

const MAX_CHARS = 160;
/** Of a line that is long itself, what tells which call it was. */
const MAX_FIRST_CHARS = 70;

const TROUBLE = /\b(?:error|exception|failed|failure|fatal|panic|denied|refused|not found|timed? ?out|traceback)\b/iu;

/** Puts a tool's output on one line: its beginning, and its error or its end. */
export function toolLine(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replaceAll(/\s+/gu, ' ').trim())
    .filter((line) => line !== '');
  const [first = ''] = lines;
  if (lines.length <= 1) return cutText(first, MAX_CHARS);
  const telling = lines.slice(1).find((line) => TROUBLE.test(line)) ?? lines.at(-1) ?? '';
  const head = cutText(first, MAX_FIRST_CHARS);
  const tail = ` (${lines.length} lines)`;
  return `${head} … ${cutText(telling, MAX_CHARS - head.length - tail.length - 3)}${tail}`;
}
