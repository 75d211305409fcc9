import type { ExtractedItem } from '../extract/extraction.ts';
import { countOf } from './command-line/plain.ts';

/** The outcomes of statements, each counted once. */
export interface LearnedCounts {
  /** Statements that the memory newly holds, or no longer holds. */
  readonly learned: number;
  readonly confirmed: number;
  readonly proposed: number;
  readonly failed: number;
}

export function countLearned(items: readonly ExtractedItem[]): LearnedCounts {
  const count = (...actions: readonly ExtractedItem['action'][]): number =>
    items.filter(({ action }) => actions.includes(action)).length;
  return {
    learned: count('added', 'superseded', 'retracted'),
    confirmed: count('confirmed'),
    proposed: count('proposed'),
    failed: count('failed'),
  };
}

/** "Learned 2 statements; 1 known before was heard again; 1 waits for a yes." Empty when there is nothing to say. */
export function describeCounts({ learned, confirmed, proposed, failed }: LearnedCounts): string {
  const parts = [
    ...(learned === 0 ? [] : [`learned ${countOf(learned, 'statement')}`]),
    ...(confirmed === 0 ? [] : [`heard ${countOf(confirmed, 'statement')} again`]),
    ...(proposed === 0 ? [] : [`proposed ${countOf(proposed, 'change')} that you decide on`]),
    ...(failed === 0 ? [] : [`could not write ${countOf(failed, 'statement')}`]),
  ];
  const text = parts.join('; ');
  return text === '' ? '' : `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
