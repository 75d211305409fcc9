import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { type CallLimits, type HttpDeps, callJson, parseAnswer } from './http.ts';
import { type Embedder, promptsOf, promptsTag } from './port.ts';
import { probeDimensions, RemoteEmbedder, type RemoteModel } from './remote.ts';

export interface OpenAiOptions {
  readonly model: string;
  readonly baseUrl: string;
  /** Undefined for a server of one's own that wants none. */
  readonly apiKey: string | undefined;
  /** Asked of the model where it lets one choose; undefined: the model's own. */
  readonly dimensions: number | undefined;
  readonly batchSize: number;
  readonly limits: CallLimits;
}

const ANSWER = z.object({ data: z.array(z.object({ index: z.int(), embedding: z.array(z.number()) })) });

const OWN_DIMENSIONS: Readonly<Record<string, number>> = {
  'text-embedding-3-small': 1536,
  'text-embedding-3-large': 3072,
  'text-embedding-ada-002': 1536,
};
const OPENAI_MAX_TOKENS = 8191;
/** The limit of nearly every embedding model on other servers. */
const OTHER_MAX_TOKENS = 512;
const OPENAI_HOST = 'api.openai.com';

export function isOpenAi(baseUrl: string): boolean {
  return new URL(baseUrl).host === OPENAI_HOST;
}

/** OpenAI, or any server that speaks its protocol (vLLM, LM Studio, LiteLLM, text-embeddings-inference …). */
export async function openOpenAiEmbedder(options: OpenAiOptions, deps: HttpDeps): Promise<Embedder> {
  const { model, baseUrl, apiKey } = options;
  const official = isOpenAi(baseUrl);
  if (official && apiKey === undefined) {
    throw new MnemeError('usage', 'Embedding with OpenAI needs a key, and none is set.', {
      hint: 'Set the variable that embedding.openai.api_key_env names.',
    });
  }
  const { host } = new URL(baseUrl);
  const service = official ? 'OpenAI' : host;
  const prompts = promptsOf(model);
  const request: RemoteModel['request'] = async (texts, kind) => {
    const answer = await callJson(
      {
        service,
        url: `${baseUrl.replace(/\/+$/u, '')}/embeddings`,
        body: {
          model,
          input: texts.map((text) => prompts[kind] + text),
          encoding_format: 'float',
          ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
        },
        headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
        secret: apiKey,
        hints: {
          401: 'Check the key in the variable that embedding.openai.api_key_env names.',
          404: 'Check embedding.openai.model and embedding.openai.base_url.',
          429: 'The account has no credit left; embedding.provider static needs none.',
        },
      },
      options.limits,
      deps,
    );
    return parseAnswer(service, ANSWER, answer)
      .data.sort((left, right) => left.index - right.index)
      .map((item) => item.embedding);
  };
  const dimensions = options.dimensions ?? OWN_DIMENSIONS[model] ?? (await probeDimensions(request));
  const owner = official ? 'openai' : `openai-compatible/${host}`;
  return new RemoteEmbedder({
    id: `${owner}/${model}${promptsTag(prompts)}:${dimensions}`,
    service,
    dimensions,
    maxTokens: official ? OPENAI_MAX_TOKENS : OTHER_MAX_TOKENS,
    batchSize: options.batchSize,
    request,
  });
}
