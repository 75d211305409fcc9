import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ModelRequest } from './model-wire.ts';
import { startModelServer, type ModelServer } from './provider-server.ts';

const ANSWER = 'Porto — a city\nby the sea. ';

let server: ModelServer;
let asked: ModelRequest[];

beforeEach(async () => {
  asked = [];
  server = await startModelServer((request) => {
    asked.push(request);
    return ANSWER;
  });
});

afterEach(() => server.close());

function post(path: string, body: unknown, headers: Record<string, string>): Promise<Response> {
  return fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}

const OPENAI = { authorization: 'Bearer key' };
const ANTHROPIC = { 'x-api-key': 'key', 'anthropic-version': '2023-06-01' };

/** The events of a stream: name and data. */
function eventsOf(text: string): { event: string | undefined; data: string }[] {
  return text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => ({
      event: /^event: (.*)$/mu.exec(block)?.[1],
      data: /^data: (.*)$/mu.exec(block)?.[1] ?? '',
    }));
}

describe('OpenAI chat completions', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Where?' }] },
  ];

  it('answers whole', async () => {
    const response = await post('/v1/chat/completions', { model: 'gpt', messages }, OPENAI);
    expect(await response.json()).toMatchObject({
      object: 'chat.completion',
      model: 'gpt',
      choices: [{ index: 0, message: { role: 'assistant', content: ANSWER, refusal: null }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 5, completion_tokens: 7, total_tokens: 12 },
    });
    expect(asked).toEqual([
      { vendor: 'openai', model: 'gpt', system: 'Be brief.', messages: [{ role: 'user', text: 'Where?' }] },
    ]);
  });

  it('streams chunks, the usage when asked for it, and [DONE]', async () => {
    const body = { model: 'gpt', messages, stream: true, stream_options: { include_usage: true } };
    const response = await post('/v1/chat/completions', body, OPENAI);
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const events = eventsOf(await response.text());
    expect(events.pop()).toEqual({ event: undefined, data: '[DONE]' });
    const chunks = events.map(({ data }) => JSON.parse(data) as { choices: { delta: { content?: string } }[] });
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(ANSWER);
    expect(chunks[0]).toMatchObject({ choices: [{ delta: { role: 'assistant', content: '' } }], usage: null });
    expect(chunks.at(-2)).toMatchObject({ choices: [{ delta: {}, finish_reason: 'stop' }] });
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 12 } });
  });

  it('stops at the limit and refuses what is wrong', async () => {
    const cut = await post('/v1/chat/completions', { model: 'gpt', messages, max_completion_tokens: 1 }, OPENAI);
    expect(await cut.json()).toMatchObject({ choices: [{ message: { content: 'Port' }, finish_reason: 'length' }] });
    expect((await post('/v1/chat/completions', { model: 'gpt', messages }, {})).status).toBe(401);
    const empty = await post('/v1/chat/completions', { model: 'gpt', messages: [] }, OPENAI);
    expect([empty.status, await empty.json()]).toMatchObject([400, { error: { param: 'messages' } }]);
    expect((await post('/v1/nothing', {}, OPENAI)).status).toBe(404);
  });
});

describe('Anthropic messages', () => {
  const body = {
    model: 'claude',
    max_tokens: 50,
    system: 'Be brief.',
    messages: [{ role: 'user', content: 'Where?' }],
  };

  it('answers whole', async () => {
    const response = await post('/v1/messages', body, ANTHROPIC);
    expect(await response.json()).toMatchObject({
      type: 'message',
      role: 'assistant',
      content: [{ type: 'text', text: ANSWER }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 5, output_tokens: 7 },
    });
    expect(asked[0]).toMatchObject({ vendor: 'anthropic', system: 'Be brief.', messages: [{ text: 'Where?' }] });
  });

  it('streams named events', async () => {
    const response = await post('/v1/messages', { ...body, stream: true }, ANTHROPIC);
    const events = eventsOf(await response.text());
    const names = events.map(({ event }) => event);
    expect(names.slice(0, 3)).toEqual(['message_start', 'content_block_start', 'ping']);
    expect(names.slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    const parsed = events.map(({ data }) => JSON.parse(data) as { type: string; delta?: { text?: string } });
    expect(parsed.map(({ type }) => type)).toEqual(names);
    expect(parsed.map(({ delta }) => delta?.text ?? '').join('')).toBe(ANSWER);
    expect(parsed.at(-2)).toMatchObject({ delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 7 } });
  });

  it('refuses what is wrong in its own words', async () => {
    const problems = [
      [{ ...body, max_tokens: undefined }, 'max_tokens: Field required'],
      [{ ...body, messages: [{ role: 'system', content: 'x' }] }, 'messages.0.role'],
      [{ ...body, messages: [{ role: 'assistant', content: 'x' }] }, 'first message'],
    ] as const;
    for (const [wrong, message] of problems) {
      const response = await post('/v1/messages', wrong, ANTHROPIC);
      expect(await response.json()).toMatchObject({
        type: 'error',
        error: { type: 'invalid_request_error', message: expect.stringContaining(message) },
      });
    }
    expect((await post('/v1/messages', body, { 'anthropic-version': '2023-06-01' })).status).toBe(401);
  });
});

describe('Google generateContent', () => {
  const path = '/v1beta/models/gemini:generateContent';
  const key = { 'x-goog-api-key': 'key' };
  const body = {
    systemInstruction: { parts: [{ text: 'Be brief.' }] },
    contents: [{ role: 'user', parts: [{ text: 'Where?' }] }],
  };

  it('answers', async () => {
    const response = await post(path, body, key);
    expect(await response.json()).toMatchObject({
      candidates: [{ content: { role: 'model', parts: [{ text: ANSWER }] }, finishReason: 'STOP' }],
      usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 7, totalTokenCount: 12 },
    });
    expect(asked[0]).toEqual({
      vendor: 'google',
      model: 'gemini',
      system: 'Be brief.',
      messages: [{ role: 'user', text: 'Where?' }],
    });
  });

  it('refuses what is wrong in its own words', async () => {
    expect((await post(path, body, {})).status).toBe(403);
    const problems = [
      [{ ...body, contents: [] }, 'contents is not specified'],
      [{ ...body, contents: [{ role: 'assistant', parts: [] }] }, 'valid role'],
      [{ ...body, generationConfig: { responseJsonSchema: {} } }, 'mime type'],
    ] as const;
    for (const [wrong, message] of problems) {
      const error = { code: 400, status: 'INVALID_ARGUMENT', message: expect.stringContaining(message) as string };
      expect(await (await post(path, wrong, key)).json()).toMatchObject({ error });
    }
  });
});

describe('schemas', () => {
  const strict = {
    type: 'object',
    properties: { a: { type: 'string' } },
    required: ['a'],
    additionalProperties: false,
  };

  it.each([
    [strict, undefined],
    [{ ...strict, required: [] }, "missing 'a'"],
    [{ ...strict, additionalProperties: undefined }, 'additionalProperties'],
    [{ ...strict, properties: { a: { type: 'array', items: { type: 'string', minLength: 1 } } } }, 'minLength'],
    [{ ...strict, properties: { a: { enum: ['x'] } } }, "'type' is required"],
  ])('%j: %s', async (schema, problem) => {
    const messages = [{ role: 'user', content: 'x' }];
    const format = { type: 'json_schema', schema };
    const anthropic = { model: 'claude', max_tokens: 50, messages, output_config: { format } };
    const openAi = {
      model: 'gpt',
      messages,
      response_format: { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    };
    const answers = await Promise.all([
      post('/v1/messages', anthropic, ANTHROPIC),
      post('/v1/chat/completions', openAi, OPENAI),
    ]);
    for (const answer of answers) {
      expect(answer.status).toBe(problem === undefined ? 200 : 400);
      expect(await answer.text()).toContain(problem ?? '');
    }
  });
});

it('breaks in the ways networks do', async () => {
  server.faults.push('garbage', 'cut', 'silence');
  const garbage = await post('/v1/messages', {}, ANTHROPIC);
  await expect(garbage.json()).rejects.toThrow(SyntaxError);
  const cut = await post('/v1/messages', {}, ANTHROPIC);
  await expect(cut.text()).rejects.toThrow('terminated');
  const waiting = fetch(`${server.url}/v1/messages`, { method: 'POST', signal: AbortSignal.timeout(50) });
  await expect(waiting).rejects.toThrow('timeout');
});

it('fails on purpose, in the words of whoever is asked', async () => {
  server.faults.push({ status: 429, headers: { 'retry-after': '3' } }, { status: 529 });
  const first = await post('/v1/chat/completions', {}, OPENAI);
  expect([first.status, first.headers.get('retry-after')]).toEqual([429, '3']);
  expect(await first.json()).toMatchObject({ error: { code: 'rate_limit_exceeded' } });
  const second = await post('/v1/messages', {}, ANTHROPIC);
  expect([second.status, await second.json()]).toMatchObject([529, { error: { type: 'overloaded_error' } }]);
});
