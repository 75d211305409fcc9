import { afterEach, describe, expect, it } from 'vitest';
import { openGeminiEmbedder } from './gemini.ts';
import { openOllamaEmbedder } from './ollama.ts';
import { openOpenAiEmbedder } from './openai.ts';
import type { Embedder } from './port.ts';
import { describeEmbedder } from './testing/conformance.ts';
import {
  httpWithRecordedPauses,
  letterVector,
  sendJson,
  startProviderServer,
  type Answer,
  type ProviderServer,
} from './testing/provider-server.ts';

const { deps } = httpWithRecordedPauses();
const SHARED = { batchSize: 50, limits: { timeoutMs: 60_000, maxRetries: 3 }, dimensions: undefined };
const OLLAMA_DIGEST = '85462619ee721b466c5927d109d4cb765861907d5417b9109caebc4e614679f1';

let servers: ProviderServer[] = [];

afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  servers = [];
});

async function serve(answer: Answer): Promise<ProviderServer> {
  const server = await startProviderServer(answer);
  servers.push(server);
  return server;
}

interface OpenAiBody {
  readonly model: string;
  readonly input: readonly string[];
  readonly dimensions?: number;
}

/** As the reference describes it, with the items in another order than asked. */
const openAi =
  (ownDimensions: number): Answer =>
  ({ path, body }, response) => {
    if (path !== '/v1/embeddings') return sendJson(response, 404, { error: { message: 'Invalid URL', code: null } });
    const { model, input, dimensions = ownDimensions } = body as OpenAiBody;
    const data = input
      .map((text, index) => ({ object: 'embedding', index, embedding: letterVector(text, dimensions) }))
      .reverse();
    sendJson(response, 200, { object: 'list', data, model, usage: { prompt_tokens: 8, total_tokens: 8 } });
  };

async function openOpenAi(answer: Answer, options = {}): Promise<{ embedder: Embedder; server: ProviderServer }> {
  const server = await serve(answer);
  const embedder = await openOpenAiEmbedder(
    { ...SHARED, model: 'some-model', baseUrl: `${server.url}/v1/`, apiKey: 'sk-test', ...options },
    deps,
  );
  return { embedder, server };
}

interface GeminiBody {
  readonly requests: readonly {
    readonly content: { readonly parts: readonly [{ readonly text: string }] };
    readonly outputDimensionality?: number;
  }[];
}

const gemini: Answer = ({ path, body, headers }, response) => {
  if (headers['x-goog-api-key'] !== 'AIza-test') {
    const error = { code: 400, message: 'API key not valid. Please pass a valid API key.', status: 'INVALID_ARGUMENT' };
    return sendJson(response, 400, { error });
  }
  if (path !== '/v1beta/models/gemini-embedding-001:batchEmbedContents') return sendJson(response, 404, {});
  const embeddings = (body as GeminiBody).requests.map(({ content, outputDimensionality = 3072 }) => ({
    values: letterVector(content.parts[0].text, outputDimensionality),
  }));
  sendJson(response, 200, { embeddings });
};

async function openGemini(answer: Answer, options = {}): Promise<{ embedder: Embedder; server: ProviderServer }> {
  const server = await serve(answer);
  const embedder = await openGeminiEmbedder(
    { ...SHARED, model: 'gemini-embedding-001', apiKey: 'AIza-test', baseUrl: `${server.url}/v1beta`, ...options },
    deps,
  );
  return { embedder, server };
}

const ollama: Answer = ({ method, path, body }, response) => {
  if (method === 'GET' && path === '/api/tags') {
    return sendJson(response, 200, {
      models: [
        { name: 'embeddinggemma:latest', model: 'embeddinggemma:latest', digest: OLLAMA_DIGEST, size: 621_875_917 },
      ],
    });
  }
  const { model, input, dimensions = 8 } = body as OpenAiBody;
  const embeddings = input.map((text) => letterVector(text, dimensions));
  sendJson(response, 200, {
    model,
    embeddings,
    total_duration: 14_143_917,
    load_duration: 1_019_500,
    prompt_eval_count: 8,
  });
};

async function openOllama(answer: Answer, options = {}): Promise<{ embedder: Embedder; server: ProviderServer }> {
  const server = await serve(answer);
  const embedder = await openOllamaEmbedder(
    { ...SHARED, model: 'embeddinggemma', baseUrl: server.url, ...options },
    deps,
  );
  return { embedder, server };
}

describeEmbedder('openai', async () => (await openOpenAi(openAi(26))).embedder);
describeEmbedder('gemini', async () => (await openGemini(gemini)).embedder);
describeEmbedder('ollama', async () => (await openOllama(ollama)).embedder);

describe('openai', () => {
  it('sends what the protocol asks for', async () => {
    const { embedder, server } = await openOpenAi(openAi(1536), { model: 'text-embedding-3-small' });
    await embedder.embed(['bees'], 'document');
    expect(server.requests).toHaveLength(1);
    expect(server.requests[0]).toMatchObject({ method: 'POST', path: '/v1/embeddings' });
    expect(server.requests[0]?.headers).toMatchObject({
      authorization: 'Bearer sk-test',
      'content-type': 'application/json',
    });
    expect(server.requests[0]?.body).toEqual({
      model: 'text-embedding-3-small',
      input: ['bees'],
      encoding_format: 'float',
    });
    expect(embedder.id).toMatch(/^openai-compatible\/127\.0\.0\.1:\d+\/text-embedding-3-small:1536$/u);
  });

  it('sends batches of 50 and puts the vectors back in order', async () => {
    const { embedder, server } = await openOpenAi(openAi(26), { dimensions: 26 });
    const texts = Array.from({ length: 120 }, (_, index) => 'abcdefghij'.charAt(index % 10).repeat(1 + index));
    const vectors = await embedder.embed(texts, 'document');
    expect(server.requests.map(({ body }) => (body as OpenAiBody).input.length)).toEqual([50, 50, 20]);
    expect(server.requests[0]?.body).toMatchObject({ dimensions: 26 });
    expect(vectors.map((vector) => vector.indexOf(Math.max(...vector)))).toEqual(texts.map((_, index) => index % 10));
  });

  it('asks a server it does not know for the length of its vectors, and needs no key there', async () => {
    const { embedder, server } = await openOpenAi(openAi(12), { apiKey: undefined });
    expect(embedder.dimensions).toBe(12);
    expect(server.requests[0]?.headers.authorization).toBeUndefined();
  });

  it('wants a key for OpenAI itself', async () => {
    const options = { ...SHARED, model: 'm', baseUrl: 'https://api.openai.com/v1', apiKey: undefined };
    await expect(openOpenAiEmbedder(options, deps)).rejects.toMatchObject({ code: 'usage' });
  });

  it.each([
    ['another length', { data: [{ index: 0, embedding: [1, 2, 3] }] }, /vector of 3 dimensions where .* has 26/u],
    ['too few vectors', { data: [] }, /0 vectors for 1 texts/u],
    ['another protocol', { embeddings: [[1]] }, /not of its protocol/u],
    ['no numbers', { data: [{ index: 0, embedding: ['a'] }] }, /not of its protocol/u],
  ])('refuses an answer with %s', async (_what, answer, message) => {
    const { embedder } = await openOpenAi((_request, response) => sendJson(response, 200, answer), { dimensions: 26 });
    await expect(embedder.embed(['bees'], 'document')).rejects.toThrow(message);
  });

  it('explains a wrong key', async () => {
    const { embedder } = await openOpenAi(
      (_request, response) =>
        sendJson(response, 401, { error: { message: 'Incorrect API key provided', type: 'invalid_request_error' } }),
      { dimensions: 26 },
    );
    await expect(embedder.embed(['bees'], 'query')).rejects.toMatchObject({
      code: 'refused',
      hint: expect.stringContaining('embedding.openai.api_key_env') as string,
    });
  });

  it('cuts a text that would not fit', async () => {
    const { embedder, server } = await openOpenAi(openAi(26), { dimensions: 26 });
    await embedder.embed(['x'.repeat(100_000)], 'query');
    expect(server.requests[0]?.body).toMatchObject({ input: ['x'.repeat(embedder.maxTokens * 2)] });
  });
});

describe('gemini', () => {
  it('sends what the protocol asks for', async () => {
    const { embedder, server } = await openGemini(gemini, { dimensions: 768 });
    await embedder.embed(['bees'], 'query');
    await embedder.embed(['bees'], 'document');
    const request = {
      model: 'models/gemini-embedding-001',
      content: { parts: [{ text: 'bees' }] },
      outputDimensionality: 768,
    };
    expect(server.requests.map(({ body }) => body)).toEqual([
      { requests: [{ ...request, taskType: 'RETRIEVAL_QUERY' }] },
      { requests: [{ ...request, taskType: 'RETRIEVAL_DOCUMENT' }] },
    ]);
    expect(server.requests[0]?.path).not.toContain('AIza');
    expect(embedder.id).toBe('gemini/gemini-embedding-001:768');
  });

  it('never sends more than 100 texts in one call', async () => {
    const { embedder, server } = await openGemini(gemini, { dimensions: 8, batchSize: 2048 });
    await embedder.embed(
      Array.from({ length: 150 }, () => 'bees'),
      'document',
    );
    expect(server.requests.map(({ body }) => (body as GeminiBody).requests.length)).toEqual([100, 50]);
  });

  it('explains a wrong key, and a missing one', async () => {
    const { embedder } = await openGemini(gemini, { apiKey: 'AIza-wrong' });
    await expect(embedder.embed(['bees'], 'query')).rejects.toThrow(/API key not valid/u);
    await expect(openGemini(gemini, { apiKey: undefined })).rejects.toMatchObject({ code: 'usage' });
  });
});

describe('ollama', () => {
  it('asks which build of the model there is and sends what the protocol asks for', async () => {
    const { embedder, server } = await openOllama(ollama, { dimensions: 16 });
    await embedder.embed(['bees'], 'query');
    expect(server.requests.map(({ path }) => path)).toEqual(['/api/tags', '/api/embed']);
    expect(server.requests[1]?.body).toEqual({
      model: 'embeddinggemma',
      input: ['task: search result | query: bees'],
      truncate: true,
      dimensions: 16,
    });
    expect(embedder.id).toBe('ollama/embeddinggemma@85462619ee72+prompts:16');
  });

  it('says how to get a model the server does not have', async () => {
    await expect(openOllama(ollama, { model: 'nomic-embed-text' })).rejects.toMatchObject({
      code: 'not-found',
      hint: 'Run: ollama pull nomic-embed-text',
    });
  });

  it('says so when something else answers at the address', async () => {
    await expect(openOllama((_request, response) => sendJson(response, 200, { hello: 1 }))).rejects.toThrow(
      /not of its protocol/u,
    );
  });
});
