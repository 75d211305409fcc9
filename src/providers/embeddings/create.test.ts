import { afterEach, describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import { writeMadeUpModel } from '../../encoder/testing/made-up-model.ts';
import { createEmbedder } from './create.ts';
import type { EmbeddingConfig, EmbeddingDeps } from './providers.ts';
import { fakeOnnxRuntime } from './testing/fake-onnx-runtime.ts';
import { tinyModelFiles, writeModelFolder } from './testing/model-folder.ts';
import {
  httpWithRecordedPauses,
  letterVector,
  sendJson,
  startProviderServer,
  type ProviderServer,
} from './testing/provider-server.ts';

let server: ProviderServer | undefined;

afterEach(() => server?.close());

/** A service that speaks all three protocols. */
async function startServices(): Promise<ProviderServer> {
  server = await startProviderServer(({ path, body }, response) => {
    const embedding = letterVector('x', 8);
    if (path === '/api/tags') sendJson(response, 200, { models: [{ name: 'embeddinggemma:latest', digest: 'abc' }] });
    else if (path === '/api/embed') sendJson(response, 200, { embeddings: [embedding] });
    else if (path.endsWith(':batchEmbedContents')) sendJson(response, 200, { embeddings: [{ values: embedding }] });
    else sendJson(response, 200, { data: [{ index: 0, embedding }], received: body });
  });
  return server;
}

const UNREACHABLE = 'http://127.0.0.1:9';

function configOf(values: Partial<EmbeddingConfig>): EmbeddingConfig {
  const config = defaultConfig().embedding;
  return { ...config, ollama: { ...config.ollama, base_url: UNREACHABLE }, ...values };
}

function depsOf(values: Partial<EmbeddingDeps> = {}): EmbeddingDeps {
  return {
    readVariable: () => undefined,
    baseFolder: '/',
    modelsFolder: '/nowhere',
    http: httpWithRecordedPauses().deps,
    ...values,
  };
}

describe('createEmbedder', () => {
  it('is builtin unless told otherwise', async () => {
    const config = configOf({ builtin: { model: writeMadeUpModel() } });
    const { provider, embedder, reason } = await createEmbedder(config, depsOf());
    expect(provider).toBe('builtin');
    expect(embedder?.id).toBe('made-up:1:384');
    expect(reason).toBe('embedding.provider is builtin');
  });

  it('has nothing for none', async () => {
    const { provider, embedder } = await createEmbedder(configOf({ provider: 'none' }), depsOf());
    expect({ provider, embedder }).toEqual({ provider: 'none', embedder: undefined });
  });

  it('opens each provider as configured', async () => {
    const { url } = await startServices();
    const { openai, ollama, onnx } = defaultConfig().embedding;
    const deps = depsOf({
      readVariable: (name) => `value of ${name}`,
      geminiUrl: url,
      importPackage: async () => fakeOnnxRuntime().runtime,
    });
    const ids = await Promise.all(
      [
        configOf({ provider: 'openai', dimensions: 8, openai: { ...openai, base_url: `${url}/v1` } }),
        configOf({ provider: 'gemini', dimensions: 8 }),
        configOf({ provider: 'ollama', ollama: { ...ollama, base_url: url } }),
        configOf({ provider: 'onnx', onnx: { ...onnx, model: writeModelFolder(tinyModelFiles()) } }),
      ].map(async (config) => {
        const { embedder } = await createEmbedder(config, deps);
        expect(await embedder?.embed(['bees'], 'query')).toHaveLength(1);
        return embedder?.id;
      }),
    );
    expect(ids).toEqual([
      expect.stringMatching(/^openai-compatible\/127.*text-embedding-3-small:8$/u),
      'gemini/gemini-embedding-001:8',
      'ollama/embeddinggemma@abc+prompts:8',
      expect.stringMatching(/^onnx\/tiny-model:/u),
    ]);
  });

  it.each(['openai', 'gemini', 'ollama', 'onnx'] as const)(
    'does not replace %s by something else',
    async (provider) => {
      const deps = depsOf({ downloadsModels: false });
      await expect(createEmbedder(configOf({ provider }), deps)).rejects.toMatchObject({
        hint: expect.any(String) as string,
      });
    },
  );
});

describe('auto', () => {
  /** Without a model of the package, so that the test is the same in a checkout that has no weights. */
  const auto = configOf({ provider: 'auto', builtin: { model: '/nowhere' } });

  it('falls back to static and says why', async () => {
    const { provider, reason } = await createEmbedder(auto, depsOf());
    expect(provider).toBe('static');
    expect(reason).toContain('static is the first that works');
    expect(reason).toContain('onnx (the model sentence-transformers/all-MiniLM-L6-v2 is not on the disk)');
    expect(reason).toMatch(/ollama \(Ollama at 127\.0\.0\.1:9 could not embed: .+\)/u);
    expect(reason).toContain('openai (OPENAI_API_KEY is not set)');
    expect(reason).toContain('gemini (GEMINI_API_KEY is not set)');
  });

  it('prefers a model on this machine to a service', async () => {
    const { url } = await startServices();
    const deps = depsOf({ readVariable: () => 'key', importPackage: async () => fakeOnnxRuntime().runtime });
    const onnx = { ...auto.onnx, model: writeModelFolder(tinyModelFiles()) };
    expect((await createEmbedder({ ...auto, onnx }, deps)).provider).toBe('onnx');
    const ollama = { ...auto.ollama, base_url: url };
    expect((await createEmbedder({ ...auto, ollama }, deps)).provider).toBe('ollama');
  });

  it('takes a service whose key is there', async () => {
    const readVariable = (name: string): string | undefined => (name === 'GEMINI_API_KEY' ? 'key' : undefined);
    const { provider, reason } = await createEmbedder(auto, depsOf({ readVariable }));
    expect(provider).toBe('gemini');
    expect(reason).toContain('openai (OPENAI_API_KEY is not set)');
  });

  it('says which package is missing for a model that is there', async () => {
    const onnx = { ...auto.onnx, model: writeModelFolder(tinyModelFiles()) };
    const importPackage = async (): Promise<never> => {
      throw Object.assign(new Error("Cannot find package 'onnxruntime-node'"), { code: 'ERR_MODULE_NOT_FOUND' });
    };
    const { provider, reason } = await createEmbedder({ ...auto, onnx }, depsOf({ importPackage }));
    expect(provider).toBe('static');
    expect(reason).toContain('needs the package onnxruntime-node');
  });
});
