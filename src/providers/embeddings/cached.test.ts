import { describe, expect, it } from 'vitest';
import { withCache } from './providers.ts';
import type { Embedder } from './port.ts';
import { letterVector } from './testing/provider-server.ts';

function countingEmbedder(): { embedder: Embedder; asked: string[][] } {
  const asked: string[][] = [];
  const embedder: Embedder = {
    id: 'counting:4',
    dimensions: 4,
    maxTokens: 10,
    languages: ['en'],
    languageFit: () => 0.5,
    embed: async (texts) => {
      asked.push([...texts]);
      return texts.map((text) => Float32Array.from(letterVector(text, 4)));
    },
    close: async () => undefined,
  };
  return { embedder, asked };
}

describe('withCache', () => {
  it('asks for a question once', async () => {
    const { embedder, asked } = countingEmbedder();
    const cached = withCache(embedder, 10);
    const first = await cached.embed(['a', 'b', 'a'], 'query');
    const second = await cached.embed(['b', 'c'], 'query');
    expect(asked).toEqual([['a', 'b'], ['c']]);
    expect(first[0]).toEqual(first[2]);
    expect(second[0]).toEqual(first[1]);
  });

  it('does not keep documents', async () => {
    const { embedder, asked } = countingEmbedder();
    const cached = withCache(embedder, 10);
    await cached.embed(['a'], 'document');
    await cached.embed(['a'], 'document');
    expect(asked).toHaveLength(2);
  });

  it('forgets what was not used for longest', async () => {
    const { embedder, asked } = countingEmbedder();
    const cached = withCache(embedder, 2);
    for (const text of ['a', 'b', 'a', 'c', 'a', 'b']) await cached.embed([text], 'query');
    expect(asked).toEqual([['a'], ['b'], ['c'], ['b']]);
  });

  it('gives copies', async () => {
    const cached = withCache(countingEmbedder().embedder, 2);
    const [mine] = await cached.embed(['a'], 'query');
    mine?.fill(9);
    expect((await cached.embed(['a'], 'query'))[0]?.[0]).not.toBe(9);
  });

  it('is otherwise the embedder it wraps, and nothing with no entries', () => {
    const { embedder } = countingEmbedder();
    expect(withCache(embedder, 0)).toBe(embedder);
    expect(withCache(embedder, 1)).toMatchObject({ id: 'counting:4', dimensions: 4, maxTokens: 10, languages: ['en'] });
    expect(withCache(embedder, 1).languageFit?.('x')).toBe(0.5);
  });
});
