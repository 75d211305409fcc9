import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadOnnxRuntime, openOnnxEmbedder } from './onnx.ts';
import type { Embedder } from './port.ts';
import { describeEmbedder } from './testing/conformance.ts';
import { fakeOnnxRuntime } from './testing/fake-onnx-runtime.ts';
import { describeMiniLm } from './testing/minilm-suite.ts';
import { tinyModelFiles, tinyTokenizerJson, writeModelFolder } from './testing/model-folder.ts';

function open(folder: string, fake = fakeOnnxRuntime(), options = {}): Promise<Embedder> {
  return openOnnxEmbedder({ folder, batchSize: 2, importPackage: async () => fake.runtime, ...options });
}

describeEmbedder('onnx', () => open(writeModelFolder(tinyModelFiles())));

describe('the onnx embedder', () => {
  it('runs texts of similar length together', async () => {
    const fake = fakeOnnxRuntime();
    const embedder = await open(writeModelFolder(tinyModelFiles()), fake);
    await embedder.embed(['bees bees bees bees', 'bees', 'bees bees bees', 'zebras'], 'document');
    // The probe, then one word plus [CLS] and [SEP] twice, then three and four words.
    expect(fake.shapes).toEqual([
      [1, 2],
      [2, 3],
      [2, 6],
    ]);
  });

  it('gives a text the same vector in any company', async () => {
    const embedder = await open(writeModelFolder(tinyModelFiles()));
    const [alone = new Float32Array()] = await embedder.embed(['bees'], 'document');
    const [, together = alone] = await embedder.embed(['a cat bees zebras bees', 'bees'], 'document');
    expect(together).toEqual(alone);
  });

  it('tells models of one name apart by their bytes', async () => {
    const one = await open(writeModelFolder(tinyModelFiles()));
    const other = await open(writeModelFolder({ ...tinyModelFiles(), 'model.onnx': 'another graph' }));
    expect(one.id).toMatch(/^onnx\/tiny-model:[0-9a-f]{12}:6$/u);
    expect(other.id).not.toBe(one.id);
  });

  it('cuts to the length the model was trained on', async () => {
    const fake = fakeOnnxRuntime();
    const files = { ...tinyModelFiles(), 'sentence_bert_config.json': { max_seq_length: 8, do_lower_case: false } };
    const embedder = await open(writeModelFolder(files), fake);
    await embedder.embed(['bees '.repeat(100)], 'document');
    expect(embedder.maxTokens).toBe(8);
    expect(fake.shapes.at(-1)).toEqual([1, 8]);
  });

  it('puts the prompts of the model in front, or those it is given', async () => {
    const plain = await open(writeModelFolder(tinyModelFiles()));
    const prompts = { prompts: { query: 'query: ', document: 'passage: ' } };
    const files = { ...tinyModelFiles(), 'config_sentence_transformers.json': prompts };
    const [expected] = await plain.embed(['query: bees'], 'query');
    const prompted = await open(writeModelFolder(files));
    expect(await prompted.embed(['bees'], 'query')).toEqual([expected]);
    expect(await prompted.embed(['bees'], 'document')).not.toEqual([expected]);
    expect(prompted.id).toContain('+prompts');
    const given = await open(writeModelFolder(tinyModelFiles()), fakeOnnxRuntime(), prompts);
    expect(await given.embed(['bees'], 'query')).toEqual([expected]);
  });

  it('takes the first token where the model says so', async () => {
    const pooling = { pooling_mode_cls_token: true, pooling_mode_mean_tokens: false };
    const first = await open(writeModelFolder({ ...tinyModelFiles(), '1_Pooling/config.json': pooling }));
    // The fake gives a token the same vector everywhere, so all texts begin alike.
    const [one, other] = await first.embed(['bees', 'zebras'], 'document');
    expect(one).toEqual(other);
  });

  it('frees the model once', async () => {
    const fake = fakeOnnxRuntime();
    const embedder = await open(writeModelFolder(tinyModelFiles()), fake);
    await embedder.close();
    await embedder.close();
    expect(fake.released()).toBe(1);
  });

  it.each([
    ['has no graph', { 'tokenizer.json': tinyTokenizerJson() }, /needs tokenizer\.json and model\.onnx/u],
    ['has no tokeniser', { 'model.onnx': '' }, /needs tokenizer\.json and model\.onnx/u],
    ['has a broken tokeniser', { ...tinyModelFiles(), 'tokenizer.json': '{' }, /is not JSON/u],
    [
      'is of another family',
      { ...tinyModelFiles(), 'tokenizer.json': { ...tinyTokenizerJson(), model: { type: 'Unigram', vocab: [] } } },
      /not describe a BERT WordPiece tokeniser \(model\.type/u,
    ],
    [
      'pools in an unknown way',
      {
        ...tinyModelFiles(),
        '1_Pooling/config.json': { pooling_mode_mean_tokens: false, pooling_mode_max_tokens: true },
      },
      /pools its tokens/u,
    ],
    ['has a broken setting', { ...tinyModelFiles(), 'sentence_bert_config.json': '{}' }, /cannot be understood/u],
  ])('refuses a folder that %s', async (_what, files, message) => {
    await expect(open(writeModelFolder(files))).rejects.toThrow(message);
  });
});

describe('loadOnnxRuntime', () => {
  it('says what to install when the package is really not there', () => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'mneme-no-onnx-'));
    const script = path.join(folder, 'load.mjs');
    const module = pathToFileURL(path.join(import.meta.dirname, 'onnx.ts')).href;
    writeFileSync(
      script,
      `import { loadOnnxRuntime } from '${module}';
       const error = await loadOnnxRuntime((name) => import(name)).catch((error) => error);
       console.log(JSON.stringify({ code: error.code, message: error.message, hint: error.hint }));`,
    );
    const { stdout, stderr } = spawnSync(process.execPath, [script], { encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({
      code: 'not-found',
      message: 'Embedding with onnx needs the package onnxruntime-node, which is not installed.',
      hint: expect.stringContaining('npm install onnxruntime-node') as string,
    });
  });

  it('knows a package that is there but does not load', async () => {
    const broken = (): never => {
      throw new Error('libonnxruntime.so.1: cannot open shared object file');
    };
    await expect(loadOnnxRuntime(async () => broken())).rejects.toThrow(/cannot be loaded: libonnxruntime/u);
    await expect(loadOnnxRuntime(async () => ({ default: {} }))).rejects.toThrow(/does not export/u);
  });

  it('takes the package whichever way it exports itself', async () => {
    const { runtime } = fakeOnnxRuntime();
    expect(await loadOnnxRuntime(async () => runtime)).toBe(runtime);
    expect(await loadOnnxRuntime(async () => ({ default: runtime }))).toBe(runtime);
  });
});

describeMiniLm(process.env['MNEME_ONNX_SOURCE']);
