import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { MemoryIndex } from '../in-memory/memory-index.ts';
import type { IndexedDocument } from '../passage.ts';
import type { IndexChange, SearchFilter, SearchIndex } from '../port.ts';
import type { OpenedIndex } from './conformance.ts';
import { askFor, EVERYTHING, findKeyedHits, makeDocument, makePassage, put, TYPICAL_SHAPES } from './documents.ts';

const word = fc.constantFrom('tea', 'milk', 'water', 'harbour', 'whale', 'ship', '東京', 'naïve');
const passage = fc.record({
  text: fc.array(word, { maxLength: 6 }).map((words) => words.join(' ')),
  speaker: fc.constantFrom('Ana', 'Ben', undefined),
  timeMs: fc.option(fc.integer({ min: 0, max: 3 }), { nil: undefined }),
  tags: fc.subarray(['hot', 'cold']),
});
const someDocument = fc
  .record({
    path: fc.constantFrom('a.md', 'b.md', 'c.md', 'd/e.md', 'ä.md'),
    source: fc.constantFrom('workspace', 'raw'),
    scope: fc.constantFrom('shared', 'project:apollo'),
    passages: fc.array(passage, { maxLength: 15 }),
  })
  .map(({ passages, ...parts }) => makeDocument(parts as { path: string }, passages.map(makePassage)));
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(someDocument, { minLength: 1, maxLength: 3 })
      .map((documents) => ({ put: documents, remove: [] })),
  },
  { weight: 1, arbitrary: someDocument.map((document) => ({ put: [], remove: [document] })) },
  { weight: 2, arbitrary: fc.constant('grow' as const) },
  { weight: 1, arbitrary: fc.constant('optimize' as const) },
);
const question = fc.record({
  words: fc.array(word, { maxLength: 4 }),
  limit: fc.integer({ min: 1, max: 12 }),
  filter: fc.constantFrom<Partial<SearchFilter>>(
    {},
    { speakers: ['Ana'] },
    { tags: ['hot'] },
    { sinceMs: 1 },
    { scopes: ['project:apollo'] },
  ),
});

/** The document held longest gets one more passage at its end. */
function grow(held: ReadonlyMap<string, IndexedDocument>): IndexChange {
  const [first] = held.values();
  if (first === undefined) return put();
  return put({ ...first, passages: [...first.passages, makePassage({ text: 'more tea' })] });
}

export function describeHistory(index: () => SearchIndex, open: () => Promise<OpenedIndex>, runs: number): void {
  const ask = async (
    one: SearchIndex,
    { words, limit, filter }: { words: string[]; limit: number; filter: Partial<SearchFilter> },
  ): Promise<unknown> => {
    const view = await one.view({ ...EVERYTHING, ...filter });
    const hits = await findKeyedHits(view, askFor(words.join(' '), { limit, shapes: TYPICAL_SHAPES }));
    return {
      // Sums of 32-bit floats agree to the last bit only when added in the same order, which they are.
      hits: hits.map(({ key, scores }) => ({ key, scores: scores.map((score) => Math.fround(score)) })),
      recent: (await view.read(await view.findRecent(limit))).map(
        ({ document, number, first }) => `${document.path} ${document.source} ${number - first}`,
      ),
    };
  };

  it('answers like one that is made anew from what it holds, and like the one in memory', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 8 }),
        fc.array(question, { minLength: 1, maxLength: 3 }),
        async (steps, questions) => {
          await index().clear();
          const held = new Map<string, IndexedDocument>();
          for (const one of steps) {
            if (one === 'optimize') {
              await index().optimize();
              continue;
            }
            const change = one === 'grow' ? grow(held) : one;
            await index().apply(change);
            for (const { source, path } of change.remove) held.delete(`${source} ${path}`);
            for (const document of change.put) held.set(`${document.source} ${document.path}`, document);
          }
          expect(await index().verify()).toEqual([]);
          const anew = await open();
          const memory = new MemoryIndex();
          try {
            for (const document of [...held.values()].reverse()) await anew.index.apply(put(document));
            await memory.apply(put(...held.values()));
            for (const one of questions) {
              const expected = await ask(memory, one);
              expect(await ask(index(), one)).toEqual(expected);
              expect(await ask(anew.index, one)).toEqual(expected);
            }
          } finally {
            await anew.index.close();
            await anew.dispose();
          }
        },
      ),
      { numRuns: runs },
    );
  });
}
