import { applyPatch, formatPatch, OMIT_HEADERS, structuredPatch, type StructuredPatch } from 'diff';
import { MnemeError } from '../model/errors.ts';

/** Enough for a person to see where they are, and for the diff to find its place in a file that changed around it. */
const CONTEXT_LINES = 3;

/** Lines of context that may differ when a diff is fitted to another text than the one it was made from. */
const FUZZ_LINES = 2;

export interface DiffSide {
  readonly path: string;
  /** undefined when the file does not exist on this side. */
  readonly text: string | undefined;
}

/** A unified diff; '' when the texts are equal. */
export function makeDiff(before: DiffSide, after: DiffSide): string {
  const [oldText, newText] = withOneLineEnd(before.text ?? '', after.text ?? '');
  const patch = structuredPatch('', '', oldText, newText, undefined, undefined, { context: CONTEXT_LINES });
  if (patch.hunks.length === 0) return '';
  const oldName = before.text === undefined ? '/dev/null' : `a/${before.path}`;
  const newName = after.text === undefined ? '/dev/null' : `b/${after.path}`;
  return `--- ${oldName}\n+++ ${newName}\n${formatPatch(patch, OMIT_HEADERS)}`;
}

/** A file in CRLF is shown in LF, which the proposal's own file uses; applying it gives the line ends back. */
function withOneLineEnd(before: string, after: string): [string, string] {
  const isCrlf = before.includes('\n') && !/(?<!\r)\n/.test(before);
  return isCrlf ? [before.replaceAll('\r\n', '\n'), after.replaceAll('\r\n', '\n')] : [before, after];
}

export interface Hunk {
  readonly oldStart: number;
  /** Each with its mark: space, `+`, `-` or `\`. */
  readonly lines: readonly string[];
}

const HUNK_HEADER = /^@@(?: -(\d+)(?:,\d+)? \+\d+(?:,\d+)? @@.*|.*)$/;
const FILE_HEADER = /^(?:---|\+\+\+|diff|index|Index:|=+) ?/;

/**
 * Reads a diff that a person may have edited: counts in the headers are not believed, headers may be missing, and a
 * blank line stands for an empty line of context, because editors cut the space that marks it.
 */
export function parseDiff(diff: string): Hunk[] {
  const hunks: { oldStart: number; lines: string[] }[] = [];
  for (const [index, line] of diff.replace(/\n+$/, '').split('\n').entries()) {
    const header = HUNK_HEADER.exec(line);
    if (header !== null) {
      hunks.push({ oldStart: Number(header[1] ?? 1), lines: [] });
      continue;
    }
    if (hunks.length === 0 && (line.trim() === '' || FILE_HEADER.test(line))) continue;
    if (!/^[ +\-\\]|^$/.test(line)) throw unmarkedLine(line, index + 1);
    if (hunks.length === 0) hunks.push({ oldStart: 1, lines: [] });
    hunks.at(-1)?.lines.push(line === '' ? ' ' : line);
  }
  return hunks.filter((hunk) => hunk.lines.length > 0);
}

function unmarkedLine(line: string, number: number): MnemeError {
  return new MnemeError('usage', `Line ${number} of the diff, "${line}", starts with neither a space, + nor -.`, {
    hint: 'Put a space before a line that stays, + before a new one, - before one to remove.',
  });
}

/** The text after the diff; undefined where it does not fit. `exact` demands every line of context. */
export function applyDiff(text: string, diff: string, fit: 'exact' | 'fuzzy'): string | undefined {
  const patched = applyPatch(text, toPatch(parseDiff(diff)), { fuzzFactor: fit === 'exact' ? 0 : FUZZ_LINES });
  return patched === false ? undefined : patched;
}

function toPatch(hunks: readonly Hunk[]): StructuredPatch {
  let shift = 0;
  return {
    oldFileName: '',
    newFileName: '',
    oldHeader: undefined,
    newHeader: undefined,
    hunks: hunks.map(({ oldStart, lines }) => {
      const oldLines = lines.filter((line) => /^[ -]/.test(line)).length;
      const newLines = lines.filter((line) => /^[ +]/.test(line)).length;
      // The format counts a hunk without old lines from the line before it.
      const start = oldLines === 0 ? oldStart + 1 : oldStart;
      const hunk = { oldStart: start, oldLines, newStart: start + shift, newLines, lines: [...lines] };
      shift += newLines - oldLines;
      return hunk;
    }),
  };
}
