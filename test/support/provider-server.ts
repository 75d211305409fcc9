import type { ServerResponse } from 'node:http';
import {
  sendJson,
  startProviderServer,
  type ProviderServer,
  type ReceivedRequest,
} from '../../src/providers/embeddings/testing/provider-server.ts';
import { answerAnthropic, anthropicError } from './anthropic-wire.ts';
import type { ModelReply, WireAnswer } from './model-wire.ts';
import { answerOpenAi, openAiError } from './openai-wire.ts';

/** A failure that the next call meets instead of an answer. */
export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

export interface ModelServer extends ProviderServer {
  /** Calls meet these, one after the other, before anything is answered again. */
  readonly faults: Fault[];
}

/**
 * Language models on this machine: a server that speaks OpenAI's and Anthropic's formats, whole and streamed, and
 * refuses what they would refuse. `reply` stands in for the model.
 */
export async function startModelServer(reply: ModelReply): Promise<ModelServer> {
  const faults: Fault[] = [];
  const server = await startProviderServer((request, response) => {
    const fault = faults.shift();
    send(response, fault === undefined ? answer(request, reply) : failure(request, fault));
  });
  return { ...server, faults };
}

function answer(request: ReceivedRequest, reply: ModelReply): WireAnswer {
  if (request.method === 'POST' && isOpenAi(request)) return answerOpenAi(request, reply);
  if (request.method === 'POST' && isAnthropic(request)) return answerAnthropic(request, reply);
  if (request.headers['anthropic-version'] !== undefined) return anthropicError(404, 'not_found_error', 'Not Found');
  return openAiError(404, `Invalid URL (${request.method} ${request.path})`, 'invalid_request_error', null, null);
}

function isOpenAi({ path }: ReceivedRequest): boolean {
  return /^\/v1\/chat\/completions(?:\?|$)/u.test(path);
}

function isAnthropic({ path }: ReceivedRequest): boolean {
  return /^\/v1\/messages(?:\?|$)/u.test(path);
}

const ANTHROPIC_TYPES: Readonly<Record<number, string>> = { 429: 'rate_limit_error', 529: 'overloaded_error' };

function failure(request: ReceivedRequest, { status, headers }: Fault): WireAnswer {
  const failed = isAnthropic(request)
    ? anthropicError(status, ANTHROPIC_TYPES[status] ?? 'api_error', 'Failed on purpose')
    : openAiError(
        status,
        'Failed on purpose',
        status === 429 ? 'requests' : 'server_error',
        null,
        status === 429 ? 'rate_limit_exceeded' : null,
      );
  return { ...failed, headers: { ...failed.headers, ...headers } };
}

/** A stream goes out in pieces that end where no event does, as they do on a real network. */
function send(response: ServerResponse, { status, headers, body, text }: WireAnswer): void {
  if (text === undefined) {
    sendJson(response, status, body, headers);
    return;
  }
  response.writeHead(status, headers);
  const pieceLength = 97;
  for (let at = 0; at < text.length; at += pieceLength) response.write(text.slice(at, at + pieceLength));
  response.end();
}
