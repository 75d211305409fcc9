import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { type CallLimits, type HttpDeps, callJson, parseAnswer } from './http.ts';
import type { Embedder, EmbeddingKind } from './port.ts';
import { probeDimensions, RemoteEmbedder, type RemoteModel } from './remote.ts';

export interface GeminiOptions {
  readonly model: string;
  readonly apiKey: string | undefined;
  readonly dimensions: number | undefined;
  readonly batchSize: number;
  readonly limits: CallLimits;
  readonly baseUrl?: string | undefined;
}

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';
/** The service takes no more in one call. */
const MAX_BATCH_SIZE = 100;
const MAX_TOKENS = 2048;
const OWN_DIMENSIONS: Readonly<Record<string, number>> = { 'gemini-embedding-001': 3072, 'text-embedding-004': 768 };
const TASKS: Readonly<Record<EmbeddingKind, string>> = { query: 'RETRIEVAL_QUERY', document: 'RETRIEVAL_DOCUMENT' };

const ANSWER = z.object({ embeddings: z.array(z.object({ values: z.array(z.number()) })) });

export async function openGeminiEmbedder(options: GeminiOptions, deps: HttpDeps): Promise<Embedder> {
  const { apiKey } = options;
  if (apiKey === undefined) {
    throw new MnemeError('usage', 'Embedding with Gemini needs a key, and none is set.', {
      hint: 'Set the variable GEMINI_API_KEY.',
    });
  }
  const model = options.model.replace(/^models\//u, '');
  const request: RemoteModel['request'] = async (texts, kind) => {
    const answer = await callJson(
      {
        service: 'Gemini',
        url: `${options.baseUrl ?? BASE_URL}/models/${encodeURIComponent(model)}:batchEmbedContents`,
        body: {
          requests: texts.map((text) => ({
            model: `models/${model}`,
            content: { parts: [{ text }] },
            taskType: TASKS[kind],
            ...(options.dimensions === undefined ? {} : { outputDimensionality: options.dimensions }),
          })),
        },
        // In a header, because addresses end up in logs.
        headers: { 'x-goog-api-key': apiKey },
        secret: apiKey,
        hints: {
          400: 'Check embedding.gemini.model and the key in the variable GEMINI_API_KEY.',
          403: 'Check the key in the variable GEMINI_API_KEY.',
          404: 'Check embedding.gemini.model.',
        },
      },
      options.limits,
      deps,
    );
    return parseAnswer('Gemini', ANSWER, answer).embeddings.map((item) => item.values);
  };
  const dimensions = options.dimensions ?? OWN_DIMENSIONS[model] ?? (await probeDimensions(request));
  return new RemoteEmbedder({
    id: `gemini/${model}:${dimensions}`,
    service: 'Gemini',
    dimensions,
    maxTokens: MAX_TOKENS,
    batchSize: Math.min(options.batchSize, MAX_BATCH_SIZE),
    request,
  });
}
