import type { Style, View } from '../command-line/style.ts';
import type { FoundPattern, PatternsResult } from './patterns.ts';

export function renderPatterns({ style }: View, { occurrences, patterns: found, retired }: PatternsResult): string {
  if (found.length === 0) {
    return `No pattern in ${occurrences} dated entries. A pattern needs at least five cases, and tags to tell things apart.\n`;
  }
  const lines = found.flatMap((pattern) => renderPattern(style, pattern));
  const ended = retired.map((file) => style.dim(`No longer holds: ${file}`));
  return `${[...lines, ...ended].join('\n')}\n`;
}

function renderPattern(style: Style, { description, counts, confidence, status, path, fact }: FoundPattern): string[] {
  const ended = status === 'retired' ? ' (no longer)' : '';
  const became = fact === null ? '' : ` · as a fact: ${fact.action}`;
  return [
    `${style.bold(`${Math.round(confidence * 100)} %`)}  ${description}${ended}`,
    style.dim(`      ${counts}${path === null ? '' : `  ${path}`}${became}`),
  ];
}
