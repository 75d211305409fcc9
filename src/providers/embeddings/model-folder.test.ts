import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { systemHttp } from './http.ts';
import { findModel, getModel, type HubOptions } from './model-folder.ts';
import { tinyModelFiles, tinyTokenizerJson, writeModelFolder } from './testing/model-folder.ts';
import { startProviderServer, type ProviderServer } from './testing/provider-server.ts';

let server: ProviderServer | undefined;

afterEach(() => server?.close());

/** Sends files the way the hub does: the large one from another address. */
async function startHub(files: Readonly<Record<string, string>>): Promise<ProviderServer> {
  server = await startProviderServer(({ path: address }, response) => {
    const content = files[address.replace('/owner/model/resolve/main/', '').replace('/cdn/', '')];
    if (content === undefined) response.writeHead(404).end('Entry not found');
    else if (address.endsWith('.onnx') && !address.startsWith('/cdn/')) {
      response.writeHead(302, { location: '/cdn/onnx/model.onnx' }).end();
    } else response.writeHead(200).end(content);
  });
  return server;
}

function options(values: Partial<HubOptions> = {}): HubOptions {
  const modelsFolder = mkdtempSync(path.join(os.tmpdir(), 'mneme-models-'));
  return { model: 'owner/model', baseFolder: '/', modelsFolder, downloadIfMissing: true, ...values };
}

const FILES = {
  'tokenizer.json': JSON.stringify(tinyTokenizerJson()),
  'onnx/model.onnx': 'graph',
  'sentence_bert_config.json': '{"max_seq_length": 256}',
};

describe('getModel', () => {
  it('takes a folder, absolute or relative', async () => {
    const folder = writeModelFolder(tinyModelFiles());
    expect(await getModel(options({ model: folder }), systemHttp)).toBe(folder);
    const relative = options({ model: './tiny-model', baseFolder: path.dirname(folder) });
    expect(await getModel(relative, systemHttp)).toBe(folder);
  });

  it('downloads a model once', async () => {
    const hub = await startHub(FILES);
    const asked = options({ hubUrl: hub.url });
    const folder = await getModel(asked, systemHttp);
    expect(readFileSync(path.join(folder, 'model.onnx'), 'utf8')).toBe('graph');
    expect(existsSync(path.join(folder, 'sentence_bert_config.json'))).toBe(true);
    const { length } = hub.requests;
    expect(await getModel(asked, systemHttp)).toBe(folder);
    expect(hub.requests).toHaveLength(length);
  });

  it('leaves nothing behind when a download fails', async () => {
    const hub = await startHub({ 'tokenizer.json': FILES['tokenizer.json'] });
    const asked = options({ hubUrl: hub.url });
    await expect(getModel(asked, systemHttp)).rejects.toThrow(
      /could not be downloaded: onnx\/model\.onnx answered 404/u,
    );
    expect(readdirSync(path.join(asked.modelsFolder, 'owner'))).toEqual([]);
    expect(findModel(asked)).toBeUndefined();
  });

  it('says so when the hub cannot be reached', async () => {
    const hub = await startHub(FILES);
    await hub.close();
    await expect(getModel(options({ hubUrl: hub.url }), systemHttp)).rejects.toThrow(/could not be downloaded/u);
  });

  it.each([
    ['downloading is off', { downloadIfMissing: false }, /Choose embedding.provider onnx/u],
    ['the folder does not exist', { model: './missing' }, /owner\/name on Hugging Face/u],
    ['the name would leave the folder', { model: 'owner/../../etc' }, /owner\/name on Hugging Face/u],
  ])('downloads nothing when %s', async (_why, values, hint) => {
    await expect(getModel(options(values), systemHttp)).rejects.toMatchObject({
      code: 'not-found',
      hint: expect.stringMatching(hint) as string,
    });
  });
});
