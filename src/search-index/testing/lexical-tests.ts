import { expect, it } from 'vitest';
import type { SearchFilter, SearchIndex } from '../port.ts';
import {
  askFor,
  EVERYTHING,
  findKeyedHits,
  findTexts,
  makeDocument,
  makePassage,
  put,
  TYPICAL_SHAPES,
} from './documents.ts';

export function describeSearch(index: () => SearchIndex): void {
  it('searches what stands before a passage as well', async () => {
    const passage = makePassage({ text: 'It went well', lead: 'Melanie', day: 'Monday 8 May 2023' });
    await index().apply(put(makeDocument({ path: 'a.md' }, [passage])));
    const view = await index().view(EVERYTHING);
    expect(await findTexts(view, 'Melanie')).toEqual(['It went well']);
    expect(await findTexts(view, 'on 8 May')).toEqual(['It went well']);
  });

  it('searches scripts without spaces, from right to left and other alphabets', async () => {
    const texts = ['東京に行く予定です', 'שלום עולם', 'я живу в Берлине', 'Ich wohne in Köln'];
    await index().apply(put(makeDocument({ path: 'a.md' }, texts)));
    const view = await index().view(EVERYTHING);
    expect(await findTexts(view, '東京')).toEqual([texts[0]]);
    expect(await findTexts(view, 'עולם')).toEqual([texts[1]]);
    expect(await findTexts(view, 'берлине')).toEqual([texts[2]]);
    expect(await findTexts(view, 'koln')).toEqual([texts[3]]);
  });

  it('uses a stand-in only for a term that no passage has', async () => {
    await index().apply(
      put(makeDocument({ path: 'a.md' }, ['green tea']), makeDocument({ path: 'b.md' }, ['black coffee'])),
    );
    const view = await index().view(EVERYTHING);
    const find = async (asked: string): Promise<number> => {
      const terms = [
        { term: asked, weight: 1 },
        { term: 'coffe', weight: 0.5, insteadOf: asked },
      ];
      return (await view.findByTerms({ ...askFor(''), terms })).passages.length;
    };
    expect(await find('tea')).toBe(1);
    expect(await find('cocoa')).toBe(1);
    await index().apply({ put: [], remove: [{ source: 'workspace', path: 'a.md' }] });
    const [passage] = (
      await (
        await index().view(EVERYTHING)
      ).findByTerms({
        ...askFor(''),
        terms: [
          { term: 'tea', weight: 1 },
          { term: 'coffe', weight: 0.5, insteadOf: 'tea' },
        ],
      })
    ).passages;
    expect(passage).toBeDefined();
  });

  it('answers an empty question and one of 100 KB', async () => {
    await index().apply(put(makeDocument({ path: 'a.md' }, ['green tea', 'the zanzibar route'])));
    const view = await index().view(EVERYTHING);
    expect(await findTexts(view, '')).toEqual([]);
    const words = Array.from({ length: 14_000 }, (_, number) => `word${number}`);
    words[100] = 'zanzibar';
    expect(await findTexts(view, words.join(' '))).toEqual(['the zanzibar route']);
  });

  it('says how rare a term is, whatever the filter', async () => {
    const archived = makeDocument({ path: 'b.md', isArchived: true }, ['tea', 'tea', 'milk']);
    await index().apply(put(makeDocument({ path: 'a.md' }, ['tea', 'water']), archived));
    const ask = async (filter: SearchFilter): Promise<number[]> => {
      const { rarities } = await (await index().view(filter)).findByTerms(askFor('tea milk absent'));
      return [...rarities];
    };
    const [tea, milk, absent] = await ask({ ...EVERYTHING, withArchived: true });
    expect(tea).toBeCloseTo(Math.log(1 + 2.5 / 3.5), 5);
    expect(milk).toBeCloseTo(Math.log(1 + 4.5 / 1.5), 5);
    expect(absent).toBe(0);
    expect(await ask(EVERYTHING)).toEqual([tea, milk, absent]);
  });
}

export function describeWindows(index: () => SearchIndex): void {
  it('finds a question whose words are spread over neighbours', async () => {
    const talk = ['we went to the harbour', 'nice', 'and saw a whale'];
    const apart = ['harbour'];
    await index().apply(
      put(
        makeDocument({ path: 'a.md' }, talk),
        makeDocument({ path: 'b.md' }, apart),
        makeDocument({ path: 'c.md' }, ['unrelated']),
      ),
    );
    const view = await index().view(EVERYTHING);
    const hits = await findKeyedHits(view, askFor('harbour whale', { shapes: TYPICAL_SHAPES }));
    expect(hits.map(({ key }) => key)).toEqual([
      'workspace a.md 0',
      'workspace a.md 1',
      'workspace a.md 2',
      'workspace b.md 0',
    ]);
    const [, middle, , other] = hits;
    expect(middle?.scores[0]).toBe(0);
    expect(middle?.scores[1]).toBeGreaterThan(other?.scores[1] ?? Infinity);
  });

  it('limits each shape to its best passages', async () => {
    const texts = Array.from({ length: 40 }, (_, number) =>
      number === 30 ? 'tea tea tea' : `tea ${'filler '.repeat(number)}`,
    );
    await index().apply(put(makeDocument({ path: 'a.md' }, texts)));
    const view = await index().view(EVERYTHING);
    const hits = await findKeyedHits(view, askFor('tea', { limit: 2 }));
    expect(hits.map(({ key }) => key)).toEqual(['workspace a.md 0', 'workspace a.md 30']);
  });
}
