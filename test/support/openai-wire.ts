import type { ReceivedRequest } from '../../src/providers/embeddings/testing/provider-server.ts';
import {
  findSchemaProblem,
  hear,
  tokensOf,
  wordsOf,
  type ModelReply,
  type ModelRequest,
  type WireAnswer,
} from './model-wire.ts';

/** `POST /v1/chat/completions` as OpenAI and the many that copy it answer it. */

interface ChatBody {
  readonly model?: unknown;
  readonly messages?: unknown;
  readonly stream?: boolean;
  readonly stream_options?: { readonly include_usage?: boolean };
  readonly max_tokens?: number;
  readonly max_completion_tokens?: number;
  readonly response_format?: {
    readonly type: string;
    readonly json_schema?: { readonly name?: string; readonly strict?: boolean; readonly schema?: unknown };
  };
}

interface ChatMessage {
  readonly role: string;
  readonly content: string | readonly { readonly type: string; readonly text?: string }[] | null;
}

const CREATED = 1_790_000_000;
const ROLES: ReadonlySet<string> = new Set(['system', 'developer', 'user', 'assistant', 'tool']);

export function answerOpenAi(request: ReceivedRequest, reply: ModelReply): WireAnswer {
  if (!/^Bearer \S/u.test(request.headers.authorization ?? '')) {
    return openAiError(401, "You didn't provide an API key.", 'invalid_request_error', null, null);
  }
  const body = (request.body ?? {}) as ChatBody;
  const problem = findProblem(body);
  if (problem !== undefined) return openAiError(400, problem.message, 'invalid_request_error', problem.param, null);
  const model = String(body.model);
  const messages = body.messages as readonly ChatMessage[];
  const asked = toModelRequest(model, messages, body.response_format?.json_schema?.schema);
  const { text, ending } = hear(reply(asked), body.max_completion_tokens ?? body.max_tokens);
  const usage = usageFor(messages, text);
  const finish = ending === 'cut' ? 'length' : 'stop';
  const common = {
    id: 'chatcmpl-test',
    created: CREATED,
    model,
    service_tier: 'default',
    system_fingerprint: 'fp_test',
  };
  if (body.stream === true) {
    return { status: 200, headers: STREAM_HEADERS, text: streamed(common, text, finish, usage, body.stream_options) };
  }
  const said = ending === 'refused' ? { content: null, refusal: text } : { content: text, refusal: null };
  const message = { role: 'assistant', ...said, annotations: [] };
  return {
    status: 200,
    headers: { 'x-request-id': 'req_test' },
    body: {
      ...common,
      object: 'chat.completion',
      choices: [{ index: 0, message, logprobs: null, finish_reason: finish }],
      usage,
    },
  };
}

export function openAiError(
  status: number,
  message: string,
  type: string,
  param: string | null,
  code: string | null,
): WireAnswer {
  return { status, headers: { 'x-request-id': 'req_test' }, body: { error: { message, type, param, code } } };
}

const STREAM_HEADERS = { 'content-type': 'text/event-stream; charset=utf-8', 'x-request-id': 'req_test' };

function findProblem({ model, messages, response_format: format }: ChatBody): Problem | undefined {
  if (typeof model !== 'string') return { message: 'you must provide a model parameter', param: null };
  if (!Array.isArray(messages)) return { message: "Missing required parameter: 'messages'.", param: 'messages' };
  if (messages.length === 0) {
    const message =
      "Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.";
    return { message, param: 'messages' };
  }
  const wrong = (messages as ChatMessage[]).findIndex(({ role }) => !ROLES.has(role));
  if (wrong !== -1)
    return { message: `Invalid value for 'messages[${wrong}].role'.`, param: `messages[${wrong}].role` };
  if (format?.type !== 'json_schema' || format.json_schema?.strict !== true) return undefined;
  const name = format.json_schema.name ?? '';
  if (!/^[\w-]{1,64}$/u.test(name))
    return { message: `Invalid 'response_format.json_schema.name'.`, param: 'response_format' };
  const problem = findSchemaProblem(format.json_schema.schema);
  return problem === undefined
    ? undefined
    : { message: `Invalid schema for response_format '${name}': ${problem}`, param: 'response_format' };
}

interface Problem {
  readonly message: string;
  readonly param: string | null;
}

function toModelRequest(model: string, messages: readonly ChatMessage[], schema: unknown): ModelRequest {
  const isSystem = ({ role }: ChatMessage): boolean => role === 'system' || role === 'developer';
  return {
    vendor: 'openai',
    model,
    system: messages.filter(isSystem).map(textOf).join('\n'),
    messages: messages
      .filter((message) => !isSystem(message))
      .map((message) => ({ role: message.role, text: textOf(message) })),
    ...(schema === undefined ? {} : { schema }),
  };
}

function textOf({ content }: ChatMessage): string {
  if (content === null) return '';
  return typeof content === 'string' ? content : content.map((part) => part.text ?? '').join('');
}

function usageFor(messages: readonly ChatMessage[], text: string) {
  const prompt = messages.reduce((sum, message) => sum + tokensOf(textOf(message)), 0);
  const completion = tokensOf(text);
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
}

/** Chunks without event names, the last of them `[DONE]`. */
function streamed(
  common: object,
  text: string,
  finish: string,
  usage: object,
  options: ChatBody['stream_options'],
): string {
  const withUsage = options?.include_usage === true;
  const chunk = (delta: object, finishReason: string | null): object => ({
    ...common,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
    ...(withUsage ? { usage: null } : {}),
  });
  const chunks = [
    chunk({ role: 'assistant', content: '', refusal: null }, null),
    ...wordsOf(text).map((content) => chunk({ content }, null)),
    chunk({}, finish),
    ...(withUsage ? [{ ...common, object: 'chat.completion.chunk', choices: [], usage }] : []),
  ];
  return [...chunks.map((one) => JSON.stringify(one)), '[DONE]'].map((line) => `data: ${line}\n\n`).join('');
}
