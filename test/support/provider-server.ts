import type { ServerResponse } from 'node:http';
import {
  sendJson,
  startProviderServer,
  type ProviderServer,
  type ReceivedRequest,
} from '../../src/providers/embeddings/testing/provider-server.ts';
import { answerAnthropic, anthropicError } from './anthropic-wire.ts';
import { answerGoogle, googleError, isGoogle } from './google-wire.ts';
import type { ModelReply, WireAnswer } from './model-wire.ts';
import { answerOpenAi, openAiError } from './openai-wire.ts';

/** A refusal that the next call meets instead of an answer. */
interface StatusFault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Instead of the vendor's own body. */
  readonly body?: unknown;
}

/** `silence`: no answer ever; `cut`: the connection breaks in the middle of one; `garbage`: a page instead of one. */
export type Fault = StatusFault | 'silence' | 'cut' | 'garbage';

export interface ModelServer extends ProviderServer {
  /** Calls meet these, one after the other, before anything is answered again. */
  readonly faults: Fault[];
}

/**
 * Language models on this machine: a server that speaks OpenAI's, Anthropic's and Google's formats and refuses what they
 * would refuse; the first two also stream. `reply` stands in for the model.
 */
export async function startModelServer(reply: ModelReply): Promise<ModelServer> {
  const faults: Fault[] = [];
  const server = await startProviderServer((request, response) => {
    const fault = faults.shift();
    if (typeof fault === 'string') misbehave(response, fault);
    else send(response, fault === undefined ? answer(request, reply) : failure(request, fault));
  });
  return { ...server, faults };
}

function answer(request: ReceivedRequest, reply: ModelReply): WireAnswer {
  if (request.method === 'POST' && isOpenAi(request)) return answerOpenAi(request, reply);
  if (request.method === 'POST' && isAnthropic(request)) return answerAnthropic(request, reply);
  if (request.method === 'POST' && isGoogle(request)) return answerGoogle(request, reply);
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

const GOOGLE_STATUSES: Readonly<Record<number, string>> = { 429: 'RESOURCE_EXHAUSTED', 503: 'UNAVAILABLE' };
const ON_PURPOSE = 'Failed on purpose';

function failure(request: ReceivedRequest, { status, headers, body }: StatusFault): WireAnswer {
  const failed = failureInTheirWords(request, status);
  return { ...failed, headers: { ...failed.headers, ...headers }, ...(body === undefined ? {} : { body }) };
}

function failureInTheirWords(request: ReceivedRequest, status: number): WireAnswer {
  if (isAnthropic(request)) return anthropicError(status, ANTHROPIC_TYPES[status] ?? 'api_error', ON_PURPOSE);
  if (isGoogle(request)) return googleError(status, GOOGLE_STATUSES[status] ?? 'INTERNAL', ON_PURPOSE);
  const [type, code] = status === 429 ? ['requests', 'rate_limit_exceeded'] : ['server_error', null];
  return openAiError(status, ON_PURPOSE, type, null, code);
}

function misbehave(response: ServerResponse, fault: 'silence' | 'cut' | 'garbage'): void {
  if (fault === 'silence') return;
  if (fault === 'garbage') {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<html>Gateway</html>');
    return;
  }
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"id":', () => response.destroy());
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
