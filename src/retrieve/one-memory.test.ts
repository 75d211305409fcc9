import { describe, expect, it } from 'vitest';
import { makeStored } from '../search-index/testing/documents.ts';
import type { StoredPassage } from '../search-index/port.ts';
import type { Group } from './fit.ts';
import { joinMemories } from './one-memory.ts';

type Parts = Parameters<typeof makeStored>[0];

function group(parts: Parts, document: Partial<StoredPassage['document']> = {}): Group {
  const stored = makeStored(parts);
  const passage = { ...stored, document: { ...stored.document, ...document } };
  const scores = { semantic: 0, lexical: 0, temporal: 0, importance: 0, access: 0 };
  const best = { passage, score: 1, scores, similarity: undefined, closeness: undefined, reasons: [] };
  return { members: [passage], best };
}

const PAGE = { source: 'workspace', path: 'memory/graph/entities/person--vera.md', store: 'semantic' } as const;
const JOURNAL = { source: 'workspace', path: 'memory/journal/2026-03-01.md', store: 'journal' } as const;

const turn = (session: string, text: string): Group => group({ text, session, turn: 't1', day: 'Sunday 1 March 2026' });
const fact = (session: string, text: string, type = 'fact'): Group =>
  group({ text, type, session, turn: 't1', entities: ['person--vera'] }, PAGE);
const line = (text: string): Group =>
  group({ text, session: undefined, turn: undefined, day: 'Sunday 1 March 2026' }, JOURNAL);

const order = (groups: readonly Group[]): string[] =>
  joinMemories(groups).map(({ at, also }) => [at, ...also].join('+'));

describe('joinMemories', () => {
  it('joins a fact, its turn and the journal line of the same thing', () => {
    const groups = [
      line('Vera moved to Vienna [home].'),
      turn('s1', 'By the way, Vera moved to Vienna last week.'),
      fact('s1', 'Vera lives in Vienna.'),
      turn('s2', 'The ferry leaves at nine.'),
    ];
    expect(order(groups)).toEqual(['1+0+2', '3']);
  });

  it('keeps two statements of one turn apart, and opposites', () => {
    expect(order([fact('s1', 'Vera lives in Vienna.'), fact('s1', 'Vera works for the harbour.')])).toEqual(['0', '1']);
    expect(order([fact('s1', 'Take the pill before dinner.'), fact('s2', 'Take the pill after dinner.')])).toEqual([
      '0',
      '1',
    ]);
  });

  it('puts what was replaced behind what holds, and marks it', () => {
    const groups = [
      fact('s1', 'Vera lives in Graz.', 'superseded'),
      turn('s3', 'The ferry leaves at nine.'),
      fact('s2', 'Vera lives in Vienna.'),
    ];
    expect(order(groups)).toEqual(['1', '2', '0']);
    expect(joinMemories(groups).map(({ isSuperseded }) => isSuperseded)).toEqual([false, false, true]);
  });

  it('marks the turn that a replaced statement was learned from', () => {
    const groups = [turn('s1', 'Vera lives in Graz, you know.'), fact('s1', 'Vera lives in Graz.', 'superseded')];
    expect(joinMemories(groups)).toEqual([{ at: 0, also: [1], isSuperseded: true }]);
  });

  it('lets the journal take one of the first places', () => {
    const groups = [
      line('The quay was painted.'),
      line('The crane was sold.'),
      turn('s1', 'The ferry leaves at nine.'),
    ];
    expect(order(groups)).toEqual(['0', '2', '1']);
  });
});
