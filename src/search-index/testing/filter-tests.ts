import { expect, it } from 'vitest';
import type { SearchFilter, SearchIndex } from '../port.ts';
import { askFor, EVERYTHING, findTexts, makeDocument, makePassage, put } from './documents.ts';

const day = 86_400_000;
const notes = [
  makePassage({
    text: 'one tea',
    type: 'fact',
    timeMs: day,
    importance: 3,
    tags: ['hot', 'green'],
    speaker: 'Ana',
    session: 'S1',
    source: 'import',
    trust: 'tool',
    entities: ['tea', 'ana'],
  }),
  makePassage({
    text: 'two tea',
    type: 'step',
    timeMs: 2 * day,
    importance: 8,
    tags: ['hot'],
    speaker: 'Ben',
    session: 'S2',
    entities: ['tea'],
  }),
  makePassage({ text: 'three tea', type: 'fact', importance: 0.9 }),
];
const documents = [
  makeDocument({ path: 'a.md' }, notes),
  makeDocument({ path: 'b.md', store: 'episodic' }, ['four tea']),
  makeDocument({ path: 'c.md', scope: 'project:apollo' }, ['five tea']),
  makeDocument({ path: 'd.md', isArchived: true }, ['six tea']),
  makeDocument({ path: 'e.md', session: 'S3' }, ['seven tea']),
];

export function describeFilters(index: () => SearchIndex): void {
  it.each<[Partial<SearchFilter>, string[]]>([
    [{}, ['one', 'two', 'three', 'four', 'seven']],
    [{ scopes: ['shared', 'project:apollo'] }, ['one', 'two', 'three', 'four', 'five', 'seven']],
    [{ scopes: [] }, []],
    [{ stores: ['episodic'] }, ['four']],
    [{ withArchived: true }, ['one', 'two', 'three', 'four', 'six', 'seven']],
    [{ types: ['fact'] }, ['one', 'three']],
    [{ types: ['fact', 'step'] }, ['one', 'two', 'three']],
    [{ types: ['unknown'] }, []],
    [{ types: [] }, []],
    [{ sinceMs: 2 * day }, ['two']],
    [{ untilMs: 2 * day }, ['one']],
    [{ sinceMs: day, untilMs: 3 * day }, ['one', 'two']],
    [{ minImportance: 4 }, ['two']],
    [{ minImportance: 0.9 }, ['one', 'two', 'three']],
    [{ tags: ['hot'] }, ['one', 'two']],
    [{ tags: ['hot', 'green'] }, ['one']],
    [{ entities: ['tea', 'ana'] }, ['one']],
    [{ speakers: ['Ana', 'Ben'] }, ['one', 'two']],
    [{ sessions: ['S2', 'S3'] }, ['two', 'seven']],
    [{ sources: ['import'] }, ['one']],
    [{ trust: ['tool', 'external'] }, ['one']],
    [{ types: ['fact'], tags: ['hot'] }, ['one']],
  ])('lets through %j', async (filter, expected) => {
    await index().apply(put(...documents));
    const view = await index().view({ ...EVERYTHING, ...filter });
    const found = await findTexts(view, 'tea');
    expect(found.map((text) => text.replace(' tea', '')).sort()).toEqual(expected.toSorted());
  });

  it('follows a document whose session, store or scope has changed and nothing else', async () => {
    await index().apply(put(makeDocument({ path: 'a.md', session: 'S1' }, ['tea'])));
    await index().apply(put(makeDocument({ path: 'a.md', session: 'S2' }, ['tea'])));
    expect(await findTexts(await index().view({ ...EVERYTHING, sessions: ['S1'] }), 'tea')).toEqual([]);
    expect(await findTexts(await index().view({ ...EVERYTHING, sessions: ['S2'] }), 'tea')).toEqual(['tea']);
    await index().apply(put(makeDocument({ path: 'a.md', session: 'S2', store: 'core', scope: 'user:ana' }, ['tea'])));
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual([]);
    expect(await findTexts(await index().view({ scopes: ['user:ana'], stores: ['core'] }), 'tea')).toEqual(['tea']);
  });

  it('scores passages that others found, filter or not', async () => {
    await index().apply(put(...documents));
    const [number] = await (await index().view({ scopes: ['project:apollo'] })).findItem('c.md');
    const view = await index().view({ ...EVERYTHING, stores: ['episodic'] });
    const hits = await view.findByTerms(askFor('five', { also: [number ?? -1, 999_999] }));
    expect([...hits.passages]).toEqual([number]);
    expect(hits.scores[0]?.[0]).toBeGreaterThan(0);
  });
}
