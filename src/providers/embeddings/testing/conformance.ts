import { describe, expect, it } from 'vitest';
import { type Embedder, dot } from '../port.ts';

/** The requirements of every embedder; each provider's test runs it. */
export function describeEmbedder(name: string, open: () => Promise<Embedder>): void {
  const embedderOf = async (): Promise<Embedder & AsyncDisposable> => {
    const embedder = await open();
    return Object.assign(embedder, { [Symbol.asyncDispose]: () => embedder.close() });
  };

  describe(`${name} as an embedder`, () => {
    it('names its dimensions in its id', async () => {
      await using embedder = await embedderOf();
      expect(embedder.id.endsWith(`:${embedder.dimensions}`)).toBe(true);
      expect(embedder.maxTokens).toBeGreaterThan(2);
    });

    it.each(['query', 'document'] as const)('returns one vector of length 1 per %s, in order', async (kind) => {
      await using embedder = await embedderOf();
      const texts = ['a cat sat on the mat', 'zebras', 'a much longer text about bees, bread and butter', 'zebras'];
      const vectors = await embedder.embed(texts, kind);
      expect(vectors.map((vector) => vector.length)).toEqual(texts.map(() => embedder.dimensions));
      for (const vector of vectors) expect(dot(vector, vector)).toBeCloseTo(1, 4);
      const [alone = new Float32Array()] = await embedder.embed(['zebras'], kind);
      expect(dot(vectors[1] ?? alone, alone)).toBeCloseTo(1, 3);
      expect(dot(vectors[3] ?? alone, alone)).toBeCloseTo(1, 3);
      expect(dot(vectors[0] ?? alone, alone)).toBeLessThan(0.99);
    });

    it('returns the zero vector for a text with nothing in it, and nothing for no texts', async () => {
      await using embedder = await embedderOf();
      expect(await embedder.embed([], 'document')).toEqual([]);
      const [blank, real] = await embedder.embed([' \n\t', 'bees'], 'document');
      expect(blank?.every((value) => value === 0)).toBe(true);
      expect(real?.some((value) => value !== 0)).toBe(true);
    });

    it('takes odd texts: NUL bytes, lone surrogates, emoji, other scripts, 100 KB', async () => {
      await using embedder = await embedderOf();
      const texts = ['a\u0000b', '\ud800', '🐝🐝', '蜜蜂 نحلة пчела', 'bee '.repeat(25_000)];
      const vectors = await embedder.embed(texts, 'query');
      expect(vectors.every((vector) => vector.every(Number.isFinite))).toBe(true);
    });

    it('refuses to work once closed', async () => {
      const embedder = await open();
      await embedder.close();
      await embedder.close();
      await expect(embedder.embed(['bees'], 'document')).rejects.toThrow(/closed/u);
    });
  });
}
