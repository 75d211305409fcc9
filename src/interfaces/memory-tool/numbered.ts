import { splitLines } from '../../operations/files/change.ts';
import { MemoryToolError } from './memory-tool-error.ts';

const MAX_LINES = 999_999;
const NUMBER_WIDTH = 6;
/** About ten thousand tokens; the rest is read in another call. */
const MAX_CHARS = 40_000;

/** As the documentation shows a file. */
export function renderFile(shown: string, text: string, range: readonly [number, number] | undefined): string {
  const lines = splitLines(text);
  if (lines.length > MAX_LINES) {
    throw new MemoryToolError(`File ${shown} exceeds maximum line limit of 999,999 lines.`);
  }
  const [first, last] = range ?? [1, -1];
  if (range !== undefined && (first < 1 || first > Math.max(lines.length, 1) || (last !== -1 && last < first))) {
    throw new MemoryToolError(
      `Error: Invalid \`view_range\` parameter: [${first}, ${last}]. It should be within the range of lines of the file: [1, ${lines.length}]`,
    );
  }
  const wanted = lines.slice(first - 1, last === -1 ? undefined : last);
  const { kept, next } = fit(wanted, first);
  const more = next === undefined ? '' : `\n(Cut off: use view_range [${next}, -1] for the rest.)`;
  return `Here's the content of ${shown} with line numbers:\n${numbered(kept, first)}${more}`;
}

function fit(lines: readonly string[], first: number): { readonly kept: readonly string[]; readonly next?: number } {
  let chars = 0;
  const end = lines.findIndex((line) => (chars += line.length + NUMBER_WIDTH + 2) > MAX_CHARS);
  if (end === -1) return { kept: lines };
  const count = Math.max(end, 1);
  return count === lines.length ? { kept: lines } : { kept: lines.slice(0, count), next: first + count };
}

/** The lines to show around a change. */
const CONTEXT_LINES = 2;

export function renderSnippet(text: string, line: number, count: number): string {
  const first = Math.max(1, line - CONTEXT_LINES);
  return numbered(splitLines(text).slice(first - 1, line + count - 1 + CONTEXT_LINES), first);
}

function numbered(lines: readonly string[], first: number): string {
  return lines.map((line, at) => `${String(first + at).padStart(NUMBER_WIDTH)}\t${line}`).join('\n');
}
