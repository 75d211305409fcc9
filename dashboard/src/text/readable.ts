import { parseUnified } from './diff.ts';

const MAX_LENGTH = 240;

/** A memory in one line, without the marks that files need and readers do not: `<!-- source:… -->`, `^anchor`, bullets. */
export function readableLine(text: string): string {
  const words = text
    .replaceAll(/<!--[\s\S]*?(?:-->|$)/gu, ' ')
    .replaceAll(/(?:^|\s)\^[\w-]+(?=\s|$)/gu, ' ')
    .replace(/^\s*(?:[-*+]|\d+[.)])\s+/u, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return words.length > MAX_LENGTH ? `${words.slice(0, MAX_LENGTH - 1).toWellFormed()}…` : words;
}

/** Lines of a log or of a file's frame are no memories. */
const NO_MEMORY = /^(?:memory\/meta\/|\.)/u;
const FRAME = /^(?:#|---|[\w-]+:(?:\s|$)|\||```)/u;

/** The text that a change added, line by line, as a reader would put it. */
export function addedWords(diff: string): string[] {
  const words = parseUnified(diff)
    .filter(({ path }) => !NO_MEMORY.test(path))
    .flatMap(({ lines }) => lines.filter(({ kind }) => kind === 'add'))
    .map(({ parts }) => parts.map(({ text }) => text).join(''))
    .filter((line) => !FRAME.test(line.trim()))
    .map(readableLine)
    .filter((line) => line !== '');
  return [...new Set(words)];
}
