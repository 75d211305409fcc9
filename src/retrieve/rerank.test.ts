import { describe, expect, it } from 'vitest';
import { makeStored } from '../search-index/testing/documents.ts';
import type { Ranked } from './rank.ts';
import { rerank, type Reranker } from './rerank.ts';

function ranked(text: string, score: number): Ranked {
  return {
    passage: makeStored({ text }),
    score,
    scores: { semantic: 0, lexical: 0, temporal: 0, importance: 0, access: 0 },
    similarity: undefined,
    closeness: undefined,
    reasons: [],
  };
}

const first = [ranked('near', 0.9), ranked('the answer', 0.8), ranked('far', 0.7)];
const byLength: Reranker = { name: 'length', score: async (_question, texts) => texts.map((text) => text.length / 20) };
const textsOf = (items: readonly Ranked[]): string[] => items.map(({ passage }) => passage.text);

describe('rerank', () => {
  it('puts the best of a closer look first and keeps scores falling', async () => {
    const { ranked: second } = await rerank('q', first, byLength);
    expect(textsOf(second)).toEqual(['the answer', 'near', 'far']);
    expect(second.map(({ score }) => score)).toEqual([0.9, 0.8, 0.7]);
    expect(second[0]?.reasons).toEqual(['length 0.50']);
  });

  it('changes nothing without one', async () => {
    expect((await rerank('q', first, undefined)).ranked).toBe(first);
  });

  it.each<[string, Reranker['score']]>([
    ['fails', () => Promise.reject(new Error('no answer'))],
    ['gives too few scores', async () => [1]],
    ['gives scores that are none', async () => [1, 2, Number.NaN]],
  ])('leaves the order and says so when it %s', async (_what, score) => {
    const { ranked: second, notes } = await rerank('q', first, { name: 'model', score });
    expect(textsOf(second)).toEqual(textsOf(first));
    expect(notes[0]).toContain('model could not look at the hits again');
  });
});
