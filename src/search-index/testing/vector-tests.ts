import { expect, it } from 'vitest';
import type { Passage } from '../passage.ts';
import type { SearchIndex } from '../port.ts';
import { axis, embed, EVERYTHING, makeDocument, makePassage, put, textsOf } from './documents.ts';

const vectorOf = (text: string): Float32Array => axis(text.length % 16);

export function describeVectors(index: () => SearchIndex): void {
  it('finds the nearest, of the filter only', async () => {
    await index().apply(
      put(makeDocument({ path: 'a.md' }, ['a', 'bb', 'ccc']), makeDocument({ path: 'b.md', store: 'core' }, ['dd'])),
    );
    expect(await embed(index(), 'm', vectorOf)).toEqual(['a', 'bb', 'ccc', 'dd']);
    expect(await index().listMissingVectors('m', 10)).toEqual([]);
    expect(await index().listMissingVectors('other', 10)).toHaveLength(4);

    const view = await index().view(EVERYTHING);
    const nearest = await view.findNearest('m', axis(2), 2);
    expect(
      await textsOf(
        view,
        nearest.map(({ passage }) => passage),
      ),
    ).toEqual(['bb', 'dd']);
    expect(nearest[0]?.similarity).toBeCloseTo(1, 2);
    const core = await index().view({ ...EVERYTHING, stores: ['core'] });
    expect(
      await textsOf(
        core,
        (await core.findNearest('m', axis(2), 5)).map(({ passage }) => passage),
      ),
    ).toEqual(['dd']);
    expect(await view.findNearest('unknown', axis(2), 2)).toEqual([]);
  });

  it('lists the latest passages without a vector first, after those without a time', async () => {
    const said = (text: string, timeMs?: number): Passage => makePassage({ text, timeMs });
    const first = makeDocument({ path: 'a.md' }, [said('a "timeMs":9e9 b', 20), said('old', 10), said('twice', 5)]);
    await index().apply(put(first, makeDocument({ path: 'b.md' }, [said('new', 30), said('note'), said('twice', 40)])));
    const listed = async (limit: number): Promise<string[]> =>
      (await index().listMissingVectors('m', limit)).map(({ text }) => text);
    expect(await listed(10)).toEqual(['note', 'twice', 'new', 'a "timeMs":9e9 b', 'old']);
    expect(await listed(2)).toEqual(['note', 'twice']);
  });

  it('compares vectors', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a', 'bb', 'ccc'])));
    const [first, second, third] = await index().listMissingVectors('m', 3);
    await index().putVectors('m', 16, [
      { passage: first?.passage ?? -1, vector: axis(1) },
      { passage: second?.passage ?? -1, vector: axis(2) },
    ]);
    const view = await index().view(EVERYTHING);
    const passages = [second, third, first].map((missing) => missing?.passage ?? -1);
    const similarities = await view.similarities('m', axis(1), passages);
    expect(similarities[0]).toBeCloseTo(0, 2);
    expect(similarities[1]).toBeNaN();
    expect(similarities[2]).toBeCloseTo(1, 2);
    expect((await index().listMissingVectors('m', 10)).map(({ text }) => text)).toEqual(['ccc']);
  });

  it('refuses a vector of another length', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a'])));
    await expect(index().putVectors('m', 16, [{ passage: 0, vector: new Float32Array(8) }])).rejects.toThrow(
      '8 dimensions',
    );
  });
}

export function describeVectorsOverTime(index: () => SearchIndex): void {
  it('replaces vectors, and keeps those of texts that stay', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a', 'bb'])));
    await embed(index(), 'm', vectorOf);
    await index().apply(put(makeDocument({ path: 'a.md', hash: 'h2' }, ['new', 'bb', 'a'])));
    expect((await index().listMissingVectors('m', 10)).map(({ text }) => text)).toEqual(['new']);
    await index().apply({ put: [], remove: [{ source: 'workspace', path: 'a.md' }] });
    expect(await (await index().view(EVERYTHING)).findNearest('m', axis(2), 5)).toEqual([]);
    await index().apply(put(makeDocument({ path: 'moved.md' }, ['bb'])));
    expect(await index().listMissingVectors('m', 10)).toEqual([]);
    const view = await index().view(EVERYTHING);
    const [nearest] = await view.findNearest('m', axis(2), 5);
    expect(nearest?.similarity).toBeCloseTo(1, 2);
    await index().putVectors('m', 16, [{ passage: nearest?.passage ?? -1, vector: axis(5) }]);
    expect((await view.findNearest('m', axis(5), 5))[0]?.similarity).toBeCloseTo(1, 2);
  });

  it('gives equal texts one vector, and does not ask again for a vector that is zero', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a', 'zero']), makeDocument({ path: 'b.md' }, ['a'])));
    expect(await embed(index(), 'm', (text) => (text === 'zero' ? new Float32Array(16) : axis(1)))).toEqual([
      'a',
      'zero',
    ]);
    expect(await index().listMissingVectors('m', 10)).toEqual([]);
    const view = await index().view(EVERYTHING);
    expect(await view.findNearest('m', axis(1), 5)).toHaveLength(2);
  });

  it('gives back the vectors of texts, wherever they stand', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a', 'bb', 'zero'])));
    await embed(index(), 'm', (text) => (text === 'zero' ? new Float32Array(16) : vectorOf(text)));
    const texts = ['bb', 'unknown', 'zero', 'a'].map((text) => ({ lead: '', day: '', text }));
    const vectors = await index().readVectors('m', texts);
    expect(vectors.map((vector) => vector?.findIndex((value) => value > 0.9))).toEqual([2, undefined, -1, 1]);
    expect(await index().readVectors('other', texts)).toEqual([undefined, undefined, undefined, undefined]);
  });

  it('keeps several models, and forgets those that are no longer wanted', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['a', 'bb'])));
    await embed(index(), 'm', vectorOf);
    await embed(index(), 'n', vectorOf);
    expect((await index().status()).models).toEqual([
      { model: 'm', dimensions: 16, vectors: 2 },
      { model: 'n', dimensions: 16, vectors: 2 },
    ]);
    await index().keepModels(['n']);
    expect((await index().status()).models).toEqual([{ model: 'n', dimensions: 16, vectors: 2 }]);
    expect(await index().listMissingVectors('m', 10)).toHaveLength(2);
    await index().putVectors('n', 8, [{ passage: 0, vector: new Float32Array(8).fill(1) }]);
    expect((await index().status()).models).toEqual([{ model: 'n', dimensions: 8, vectors: 1 }]);
  });
}
