import type { KeptConflict } from './merge-rule.ts';
import { type Style } from '../command-line/style.ts';
import { counted } from '../../model/text.ts';

const OUTCOMES: Readonly<Record<KeptConflict['kind'], string>> = {
  text: 'both versions stand in the file',
  'edited-and-deleted': 'edited on one side, deleted on the other: it stays',
  'not-text': 'changed on both sides and not text: the version from here stays',
};

/** Lists the changes that both sides had made, and their outcome. */
export function conflictLines(style: Style, conflicts: readonly KeptConflict[]): string[] {
  if (conflicts.length === 0) return [];
  const isSettled = conflicts.some(({ kind }) => kind === 'text');
  return [
    style.yellow(`${counted(conflicts.length, 'file')} changed on both sides:`),
    ...conflicts.flatMap(({ path, kind, blocks, other }) => [
      `  ${path} — ${OUTCOMES[kind]}`,
      ...blocks.map(({ here, there }) => style.dim(`    here: ${here ?? '(nothing)'}  there: ${there ?? '(nothing)'}`)),
      ...(other === null ? [] : [style.dim(`    the other version: ${other}`)]),
    ]),
    ...(isSettled ? [style.dim('`mneme proposals` offers to settle it.')] : []),
  ];
}
