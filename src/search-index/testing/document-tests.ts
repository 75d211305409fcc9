import { expect, it } from 'vitest';
import type { SearchIndex } from '../port.ts';
import { EVERYTHING, findTexts, makeDocument, makePassage, put } from './documents.ts';

export function describeDocuments(index: () => SearchIndex): void {
  it('finds what was put, replaces it and forgets what was removed', async () => {
    await index().apply(
      put(makeDocument({ path: 'a.md' }, ['green tea', 'black coffee']), makeDocument({ path: 'b.md' }, ['tea house'])),
    );
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual(['green tea', 'tea house']);

    await index().apply(put(makeDocument({ path: 'a.md', hash: 'h2' }, ['red wine'])));
    const view = await index().view(EVERYTHING);
    expect(await findTexts(view, 'tea coffee wine')).toEqual(['red wine', 'tea house']);
    expect(view.size).toBe(2);

    await index().apply({ put: [], remove: [{ source: 'workspace', path: 'b.md' }] });
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual([]);
    expect(await index().listDocuments()).toEqual([{ source: 'workspace', path: 'a.md', hash: 'h2' }]);
  });

  it('keeps documents of the same path but another source apart', async () => {
    await index().apply(
      put(makeDocument({ path: 'a.md' }, ['tea']), makeDocument({ path: 'a.md', source: 'raw' }, ['tea leaves'])),
    );
    await index().apply({ put: [], remove: [{ source: 'workspace', path: 'a.md' }] });
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual(['tea leaves']);
  });

  it('holds documents without passages', async () => {
    await index().apply(put(makeDocument({ path: 'empty.md' }, []), makeDocument({ path: 'full.md' }, ['tea'])));
    await index().apply(put(makeDocument({ path: 'empty.md', hash: 'h2' }, [])));
    expect(await index().listDocuments()).toHaveLength(2);
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual(['tea']);
    expect(await index().verify()).toEqual([]);
  });

  it('forgets everything when cleared', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['tea'])));
    await index().writeNote('progress', '3');
    await index().clear();
    expect(await index().listDocuments()).toEqual([]);
    expect(await index().readNote('progress')).toBeUndefined();
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual([]);
    await index().apply(put(makeDocument({ path: 'b.md' }, ['tea again'])));
    expect(await findTexts(await index().view(EVERYTHING), 'tea')).toEqual(['tea again']);
  });
}

export function describePassages(index: () => SearchIndex): void {
  it('gives back every part of a passage', async () => {
    const passage = makePassage({
      id: 'S1#t2',
      text: 'We moved to \u0000 Lisbon 👋',
      lead: 'Ana',
      day: 'Monday 8 May 2023',
      startLine: 3,
      endLine: 5,
      type: 'turn',
      timeMs: 1_683_504_000_000.5,
      speaker: 'Ana',
      turn: 't2',
      session: 'S1',
      source: 'import',
      trust: 'external',
      importance: 7.5,
      confidence: 0.25,
      tags: ['move', 'home'],
      entities: ['ana', 'lisbon'],
    });
    const document = makeDocument(
      {
        path: 's1.md',
        source: 'raw',
        store: 'episodic',
        scope: 'project:apollo',
        isArchived: true,
        title: 'Talk',
        session: 'S1',
      },
      [makePassage({ text: 'first' }), passage],
    );
    await index().apply(put(document));
    const view = await index().view({ scopes: ['project:apollo'], withArchived: true });
    const [number] = await view.findItem('S1#t2');
    const { source, path, store, scope, isArchived, title, session } = document;
    expect(await view.read([number ?? -1, 999_999])).toEqual([
      {
        ...passage,
        number,
        document: { source, path, store, scope, isArchived, title, session },
        first: (number ?? 0) - 1,
        count: 2,
      },
    ]);
  });
}
