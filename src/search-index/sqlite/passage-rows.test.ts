import { describe, expect, test } from 'vitest';
import type { StoredPassage } from '../port.ts';
import { RecentPassages } from './passage-rows.ts';

function passage(number: number, text: string): StoredPassage {
  const document = {
    source: 'workspace',
    path: 'a.md',
    store: 'episodic',
    scope: 'shared',
    isArchived: false,
    title: '',
    session: undefined,
  } as const;
  return {
    number,
    document,
    first: 1,
    count: 9,
    id: `r${number}`,
    text,
    lead: '',
    day: '',
    startLine: 1,
    endLine: 1,
    type: 'item',
    timeMs: undefined,
    speaker: undefined,
    turn: undefined,
    session: undefined,
    source: 'conversation',
    trust: 'user',
    importance: undefined,
    confidence: undefined,
    tags: [],
    entities: [],
  };
}

// SPEC HTTP-5
describe('passages that were read lately', () => {
  test('any write makes them unknown again: a number may mean something else', () => {
    const recent = new RecentPassages();
    recent.refresh({ epoch: 'a', generation: 1 });
    recent.keep(passage(1, 'tea'));
    recent.refresh({ epoch: 'a', generation: 1 });
    expect(recent.find(1)?.text).toBe('tea');
    recent.refresh({ epoch: 'a', generation: 2 });
    expect(recent.find(1)).toBeUndefined();
    recent.keep(passage(1, 'tea'));
    recent.refresh({ epoch: 'b', generation: 2 });
    expect(recent.find(1)).toBeUndefined();
  });

  test('the oldest make room', () => {
    const recent = new RecentPassages(10);
    for (const number of [1, 2, 3]) recent.keep(passage(number, 'abcd'));
    expect([1, 2, 3].filter((number) => recent.find(number) !== undefined)).toEqual([2, 3]);
    recent.keep(passage(4, 'longer than all there is room for'));
    expect(recent.find(4)).toBeUndefined();
  });
});
