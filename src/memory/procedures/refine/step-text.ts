import { parseProcedure, type Step } from '../../../workspace/formats/procedure.ts';
import { parseDocument } from '../../../workspace/markdown/document.ts';

/**
 * Edits of single steps in a file that a person wrote: only the lines meant are touched. A step is told by its text,
 * since an earlier edit may have moved it.
 */

/** Sets a bullet such as `on error: retry 2` below a step, in place of the one that is there. */
export function setDetail(text: string, path: string, step: Step, key: string, value: string): string {
  const { lines, eol } = linesOf(text);
  const range = rangeOf(text, path, step, lines);
  if (range === undefined) return text;
  const known = new RegExp(`^(\\s*[-*+]\\s+\\**)${key.replaceAll(' ', '[ _-]')}(\\**\\s*:\\**)`, 'iu');
  const at = lines.findIndex((line, index) => index > range.first && index < range.end && known.test(line));
  if (at !== -1) {
    const indent = /^\s*/u.exec(lines[at] ?? '')?.[0] ?? '   ';
    return lines.with(at, `${indent}- ${key}: ${value}`).join(eol);
  }
  const indent = /^\s+/u.exec(lines[range.first + 1] ?? '')?.[0];
  const isNested = indent !== undefined && range.end > range.first + 1;
  const line = `${isNested ? indent : '   '}- ${key}: ${value}`;
  return lines.toSpliced(range.end, 0, line).join(eol);
}

/** Takes a step out and counts those behind it anew. */
export function removeStep(text: string, path: string, step: Step): string {
  const { lines, eol } = linesOf(text);
  const range = rangeOf(text, path, step, lines);
  if (range === undefined) return text;
  const later = new Set(
    stepsOf(text, path).flatMap(({ line }) => (line !== undefined && line - 1 >= range.end ? [line - 1] : [])),
  );
  return lines
    .map((line, index) => (later.has(index) ? countDown(line) : line))
    .toSpliced(range.first, range.end - range.first)
    .join(eol);
}

function countDown(line: string): string {
  return line.replace(
    /^(\s*)(\d+)(?=[.)])/u,
    (_whole, indent: string, number: string) => indent + (Number(number) - 1),
  );
}

function linesOf(text: string): { readonly lines: string[]; readonly eol: string } {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return { lines: text.split(eol), eol };
}

function stepsOf(text: string, path: string): readonly Step[] {
  return parseProcedure(parseDocument(text), path).steps;
}

interface LineRange {
  /** From 0. */
  readonly first: number;
  /** Behind the step's last line. */
  readonly end: number;
}

function rangeOf(text: string, path: string, wanted: Step, lines: readonly string[]): LineRange | undefined {
  const steps = stepsOf(text, path);
  const found = steps.find(({ description, action }) => description === wanted.description && action === wanted.action);
  if (found?.line === undefined) return undefined;
  const first = found.line - 1;
  let end = first + 1;
  for (let at = end; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    if (/^\s+\S/u.test(line)) end = at + 1;
    else if (line.trim() !== '') break;
  }
  return { first, end };
}
