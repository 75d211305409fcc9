import { expect, it } from 'vitest';
import type { SearchIndex } from '../port.ts';
import { EVERYTHING, makeDocument, makePassage, put, textsOf } from './documents.ts';

export function describeLookups(index: () => SearchIndex): void {
  it('lists the latest, the passages of an item and those about entities', async () => {
    const turns = ['x', 'y', 'z'].map((text, number) =>
      makePassage({
        text,
        id: number < 2 ? 'S#t1' : 'S#t2',
        timeMs: number === 1 ? undefined : number,
        entities: number === 0 ? ['ana', 'ben'] : ['ana'],
      }),
    );
    await index().apply(
      put(
        makeDocument({ path: 's.md' }, turns),
        makeDocument({ path: 'p.md', scope: 'project:apollo' }, [makePassage({ text: 'private', id: 'S#t1' })]),
      ),
    );
    const view = await index().view({ ...EVERYTHING, types: ['note'] });
    expect(await textsOf(view, await view.findRecent(5))).toEqual(['z', 'x', 'y']);
    expect(await textsOf(view, await view.findRecent(2))).toEqual(['z', 'x']);
    expect(await textsOf(view, await view.findRecent(1))).toEqual(['z']);
    expect(await textsOf(view, await view.findItem('S#t1'))).toEqual(['x', 'y']);
    expect(await textsOf(view, await view.findItem('s.md'))).toEqual(['x', 'y', 'z']);
    expect(await view.findItem('p.md')).toEqual([]);
    expect(await view.findItem('nobody')).toEqual([]);
    expect(await textsOf(view, await view.findByEntities(['ben', 'ana'], 2))).toEqual(['x', 'z']);
    expect(await view.findByEntities(['nobody'], 2)).toEqual([]);
  });

  it('lists speakers and entities as they are now', async () => {
    const entity = {
      id: 'ana',
      name: 'Ana',
      type: 'person',
      aliases: ['Anita'],
      edges: [{ relation: 'knows', to: 'ben' }],
    };
    await index().apply(
      put(
        makeDocument({ path: 'ana.md', entity }, []),
        makeDocument({ path: 's.md' }, [
          makePassage({ text: 'hi', speaker: 'Ben' }),
          makePassage({ text: 'ho', speaker: 'ana' }),
        ]),
      ),
    );
    expect(await index().listSpeakers()).toEqual(['Ben', 'ana']);
    expect(await index().listEntities()).toEqual([entity]);
    await index().apply(
      put(
        makeDocument({ path: 'ana.md' }, []),
        makeDocument({ path: 's.md' }, [makePassage({ text: 'hi', speaker: 'Ben' })]),
      ),
    );
    expect(await index().listSpeakers()).toEqual(['Ben']);
    expect(await index().listEntities()).toEqual([]);
  });

  it('keeps notes', async () => {
    expect(await index().readNote('a')).toBeUndefined();
    await index().writeNote('a', '1');
    await index().writeNote('a', '2');
    expect(await index().readNote('a')).toBe('2');
    await index().writeNote('a', undefined);
    expect(await index().readNote('a')).toBeUndefined();
  });

  it('counts what it holds and finds nothing wrong with itself', async () => {
    await index().apply(
      put(makeDocument({ path: 'a.md' }, ['green tea', 'black tea']), makeDocument({ path: 'b.md' }, ['milk'])),
    );
    expect(await index().status()).toMatchObject({ documents: 2, passages: 3, models: [] });
    expect(await index().verify()).toEqual([]);
  });
}

export function describeCompletion(index: () => SearchIndex): void {
  it('completes the beginning of a word with the words of the passages that the filter lets through', async () => {
    const texts = ['deploy on Tuesday', 'deploys are slow', 'depleted cells', 'tea'];
    const secret = makeDocument({ path: 'p.md', scope: 'project:apollo' }, ['deportation', 'deportation again']);
    await index().apply(put(makeDocument({ path: 'a.md' }, texts), secret));
    const view = await index().view(EVERYTHING);
    expect(await view.completeTerm('dep', 5)).toEqual(['deploi', 'deplet']);
    expect(await view.completeTerm('depl', 1)).toEqual(['deploi']);
    expect(await view.completeTerm('deplu', 5)).toEqual([]);
    await index().apply({ put: [], remove: [{ source: 'workspace', path: 'a.md' }] });
    expect(await view.completeTerm('dep', 5)).toEqual([]);
  });
}
