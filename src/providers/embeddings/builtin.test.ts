import { beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { WIDTH } from '../../encoder/encoder.ts';
import { writeMadeUpModel } from '../../encoder/testing/made-up-model.ts';
import { createEmbedder, openEmbedders } from './create.ts';
import { openBuiltinEmbedder } from './builtin.ts';
import { dot } from './vector.ts';

let folder: string;
beforeAll(() => {
  folder = writeMadeUpModel();
});

describe('the builtin embedder', () => {
  it('embeds any text, and gives nothing to embed the zero vector', async () => {
    const embedder = openBuiltinEmbedder(folder);
    expect(embedder).toMatchObject({ id: 'made-up:1:384', dimensions: WIDTH, maxTokens: 64 });
    const texts = ['', 'Where do we deploy?', '👍', 'a\0b', 'Привет, мир', 'word '.repeat(20_000), ' \n'];
    const vectors = await embedder.embed(texts, 'document');
    const lengths = vectors.map((vector) => Math.round(dot(vector, vector)));
    expect(lengths).toEqual([0, 1, 1, 1, 1, 1, 0]);
    expect((await embedder.embed(['Where do we deploy?'], 'query'))[0]).toEqual(vectors[1]);
    await embedder.close();
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(/closed/u);
  });

  const configWith = (model: string | null): ReturnType<typeof defaultConfig>['embedding'] => ({
    ...defaultConfig().embedding,
    provider: 'builtin',
    builtin: { model },
  });
  const deps = { readVariable: () => undefined, baseFolder: '/', modelsFolder: '/' };

  it('is opened from the folder that the settings name', async () => {
    const { embedder } = await createEmbedder(configWith(folder), deps);
    expect(embedder?.id).toBe('made-up:1:384');
  });

  it('says what to set when the settings name no model, and leaves the answers to the static table', async () => {
    await expect(createEmbedder(configWith(null), deps)).rejects.toMatchObject({
      code: 'usage',
      hint: expect.stringContaining('embedding.provider to static') as string,
    });
    const served = await openEmbedders(configWith('/no/such/model'), deps);
    expect(served.map(({ provider, embedder, problem }) => [provider, embedder?.dimensions, problem?.code])).toEqual([
      ['static', WIDTH, undefined],
      ['builtin', undefined, 'integrity'],
    ]);
  });
});
