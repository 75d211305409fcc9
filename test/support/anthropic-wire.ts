import type { ReceivedRequest } from '../../src/providers/embeddings/testing/provider-server.ts';
import { findSchemaProblem, hear, tokensOf, wordsOf, type ModelReply, type WireAnswer } from './model-wire.ts';

/** `POST /v1/messages` as Anthropic answers it. */

type Content = string | readonly { readonly type: string; readonly text?: string }[];

interface MessagesBody {
  readonly model?: unknown;
  readonly max_tokens?: unknown;
  readonly system?: Content;
  readonly messages?: unknown;
  readonly stream?: boolean;
  readonly output_config?: { readonly format?: { readonly type?: string; readonly schema?: unknown } };
}

interface Message {
  readonly role: string;
  readonly content: Content;
}

export function answerAnthropic(request: ReceivedRequest, reply: ModelReply): WireAnswer {
  const { headers } = request;
  if (headers['x-api-key'] === undefined && !/^Bearer \S/u.test(headers.authorization ?? '')) {
    return anthropicError(401, 'authentication_error', 'x-api-key header is required');
  }
  if (headers['anthropic-version'] === undefined) {
    return anthropicError(400, 'invalid_request_error', 'anthropic-version: header is required');
  }
  const body = (request.body ?? {}) as MessagesBody;
  const problem = findProblem(body);
  if (problem !== undefined) return anthropicError(400, 'invalid_request_error', problem);
  const model = String(body.model);
  const messages = (body.messages as readonly Message[]).map(({ role, content }) => ({ role, text: textOf(content) }));
  const system = textOf(body.system ?? '');
  const schema = body.output_config?.format?.schema;
  const asked = { vendor: 'anthropic', model, system, messages, ...(schema === undefined ? {} : { schema }) } as const;
  const { text, ending } = hear(reply(asked), Number(body.max_tokens));
  const stopReason = { complete: 'end_turn', cut: 'max_tokens', refused: 'refusal' }[ending];
  const input = tokensOf(system) + messages.reduce((sum, message) => sum + tokensOf(message.text), 0);
  const message = {
    id: 'msg_test',
    type: 'message',
    role: 'assistant',
    model,
    content: [{ type: 'text', text }],
    stop_reason: stopReason,
    stop_sequence: null,
    usage: usageOf(input, tokensOf(text)),
  };
  if (body.stream !== true) return { status: 200, headers: { 'request-id': 'req_test' }, body: message };
  const start = { ...message, content: [], stop_reason: null, usage: usageOf(input, 1) };
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8', 'request-id': 'req_test' },
    text: streamed(start, text, stopReason),
  };
}

export function anthropicError(status: number, type: string, message: string): WireAnswer {
  return {
    status,
    headers: { 'request-id': 'req_test' },
    body: { type: 'error', error: { type, message }, request_id: 'req_test' },
  };
}

function findProblem({
  model,
  max_tokens: maxTokens,
  messages,
  output_config: output,
}: MessagesBody): string | undefined {
  if (typeof model !== 'string') return 'model: Field required';
  if (maxTokens === undefined) return 'max_tokens: Field required';
  if (typeof maxTokens !== 'number' || maxTokens < 1) return 'max_tokens: Input should be greater than or equal to 1';
  if (!Array.isArray(messages)) return 'messages: Field required';
  if (messages.length === 0) return 'messages: at least one message is required';
  const roles = (messages as Message[]).map(({ role }) => role);
  const wrong = roles.findIndex((role) => role !== 'user' && role !== 'assistant');
  if (wrong !== -1) return `messages.${wrong}.role: Input should be 'user' or 'assistant'`;
  if (roles[0] !== 'user') return 'messages: first message must use the "user" role';
  const empty = (messages as Message[]).findIndex(({ content }) => textOf(content).trim() === '');
  if (empty !== -1) return `messages.${empty}: all messages must have non-empty content`;
  return output?.format === undefined
    ? undefined
    : findSchemaProblem(output.format.schema, 'output_config.format.schema');
}

function textOf(content: Content): string {
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function usageOf(input: number, output: number) {
  return {
    input_tokens: input,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: output,
    service_tier: 'standard',
  };
}

/** Events with their names; the text in pieces of a block. */
function streamed(start: object, text: string, stopReason: string): string {
  const events = [
    { type: 'message_start', message: start },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'ping' },
    ...wordsOf(text).map((word) => ({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: word },
    })),
    { type: 'content_block_stop', index: 0 },
    {
      type: 'message_delta',
      delta: { stop_reason: stopReason, stop_sequence: null },
      usage: { output_tokens: tokensOf(text) },
    },
    { type: 'message_stop' },
  ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}
