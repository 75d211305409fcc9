import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { type CallLimits, type HttpDeps, callJson, parseAnswer } from './http.ts';
import { type Embedder, promptsOf, promptsTag } from './port.ts';
import { probeDimensions, RemoteEmbedder, type RemoteModel } from './remote.ts';

export interface OllamaOptions {
  readonly model: string;
  readonly baseUrl: string;
  readonly dimensions: number | undefined;
  readonly batchSize: number;
  readonly limits: CallLimits;
}

/** Ollama cuts longer texts itself; this only keeps a pathological one off the wire. */
const MAX_TOKENS = 2048;
/** A server that is not there does not appear by waiting; whoever needs it should hear so at once. */
const PRESENCE_TIMEOUT_MS = 5000;
const TAGS = z.object({ models: z.array(z.object({ name: z.string(), digest: z.string() })) });
const ANSWER = z.object({ embeddings: z.array(z.array(z.number())) });

/** A server on this machine or in this house. Asks it which build of the model it has: that is the vectors' version. */
export async function openOllamaEmbedder(options: OllamaOptions, deps: HttpDeps): Promise<Embedder> {
  const { model } = options;
  const baseUrl = options.baseUrl.replace(/\/+$/u, '');
  const service = `Ollama at ${new URL(baseUrl).host}`;
  const prompts = promptsOf(model);
  const digest = await readDigest(service, `${baseUrl}/api/tags`, options, deps);
  const request: RemoteModel['request'] = async (texts, kind) => {
    const answer = await callJson(
      {
        service,
        url: `${baseUrl}/api/embed`,
        body: {
          model,
          input: texts.map((text) => prompts[kind] + text),
          truncate: true,
          ...(options.dimensions === undefined ? {} : { dimensions: options.dimensions }),
        },
        hints: { 404: `Run: ollama pull ${model}` },
      },
      options.limits,
      deps,
    );
    return parseAnswer(service, ANSWER, answer).embeddings;
  };
  const dimensions = options.dimensions ?? (await probeDimensions(request));
  return new RemoteEmbedder({
    id: `ollama/${model}@${digest.slice(0, 12)}${promptsTag(prompts)}:${dimensions}`,
    service,
    dimensions,
    maxTokens: MAX_TOKENS,
    batchSize: options.batchSize,
    request,
  });
}

async function readDigest(service: string, url: string, options: OllamaOptions, deps: HttpDeps): Promise<string> {
  const limits = { timeoutMs: Math.min(options.limits.timeoutMs, PRESENCE_TIMEOUT_MS), maxRetries: 0 };
  const { models } = parseAnswer(service, TAGS, await callJson({ service, url }, limits, deps));
  const name = options.model.includes(':') ? options.model : `${options.model}:latest`;
  const found = models.find((candidate) => candidate.name === name);
  if (found !== undefined) return found.digest;
  throw new MnemeError('not-found', `${service} does not have the model ${options.model}.`, {
    hint: `Run: ollama pull ${options.model}`,
  });
}
