import { afterEach, describe, expect, it } from 'vitest';
import type { MnemeError } from '../../model/errors.ts';
import { callJson, type JsonCall } from './http.ts';
import {
  httpWithRecordedPauses,
  sendJson,
  startProviderServer,
  type Answer,
  type ProviderServer,
} from './testing/provider-server.ts';

const LIMITS = { timeoutMs: 60_000, maxRetries: 3 };
const NOON = Date.UTC(2026, 0, 1, 12);

let server: ProviderServer | undefined;

afterEach(() => server?.close());

/** Answers in this order, the last one again and again. */
async function serve(...answers: Answer[]): Promise<ProviderServer> {
  let calls = 0;
  server = await startProviderServer((request, response) => {
    answers[Math.min(calls++, answers.length - 1)]?.(request, response);
  });
  return server;
}

const status =
  (code: number, body: unknown = { error: { message: 'overloaded' } }, headers = {}): Answer =>
  (_request, response) => {
    sendJson(response, code, body, headers);
  };
const ok = status(200, { fine: true });

async function call(
  target: ProviderServer,
  options: Partial<JsonCall> = {},
  limits = LIMITS,
): Promise<{ answer: unknown; error: MnemeError | undefined; pausesMs: number[] }> {
  const { deps, pausesMs } = httpWithRecordedPauses(NOON);
  try {
    const answer = await callJson({ service: 'Test', url: `${target.url}/x`, body: {}, ...options }, limits, deps);
    return { answer, error: undefined, pausesMs };
  } catch (error) {
    return { answer: undefined, error: error as MnemeError, pausesMs };
  }
}

describe('callJson', () => {
  it.each([429, 500, 502, 503, 408])('tries again after %i, pausing longer each time', async (code) => {
    const { answer, pausesMs } = await call(await serve(status(code), status(code), status(code), ok));
    expect(answer).toEqual({ fine: true });
    expect(pausesMs).toEqual([250, 500, 1000]);
  });

  it('gives up after the last retry and says what the service said', async () => {
    const target = await serve(status(503));
    const { error } = await call(target);
    expect(error?.message).toBe('Test could not embed after 4 attempts: 503 overloaded.');
    expect(error?.hint).toMatch(/Search by words goes on/u);
    expect(target.requests).toHaveLength(4);
  });

  it.each([
    ['7', 7000],
    ['0', 0],
    [new Date(NOON + 20_000).toUTCString(), 20_000],
  ])('waits as long as Retry-After: %s asks', async (value, expectedMs) => {
    const { pausesMs } = await call(await serve(status(429, {}, { 'retry-after': value }), ok));
    expect(pausesMs).toEqual([expectedMs]);
  });

  it('does not sit out a Retry-After beyond the time limit', async () => {
    const { error, pausesMs } = await call(await serve(status(429, {}, { 'retry-after': '3600' })));
    expect(pausesMs).toEqual([]);
    expect(error?.message).toContain('It asks to wait 3600 s.');
  });

  it.each([
    [400, 'failure'],
    [401, 'refused'],
    [404, 'not-found'],
  ])('does not repeat a call refused with %i', async (code, kind) => {
    const target = await serve(status(code, { error: { message: 'no' } }));
    const { error } = await call(target, { hints: { [code]: 'Do this.' } });
    expect(error).toMatchObject({ code: kind, message: `Test refused to embed (${code}): no`, hint: 'Do this.' });
    expect(target.requests).toHaveLength(1);
  });

  it('does not wait for an empty account to fill', async () => {
    const target = await serve(
      status(429, { error: { message: 'You exceeded your quota', code: 'insufficient_quota' } }),
    );
    expect((await call(target)).error?.message).toContain('You exceeded your quota');
    expect(target.requests).toHaveLength(1);
  });

  it('ends a call that takes too long', async () => {
    const target = await serve(() => undefined);
    const { error } = await call(target, {}, { timeoutMs: 100, maxRetries: 0 });
    expect(error?.message).toBe('Test could not embed: no answer within 0.1 s.');
  });

  it('ends a call whose body stops half way', async () => {
    const target = await serve((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{"fi');
    });
    const { error } = await call(target, {}, { timeoutMs: 100, maxRetries: 0 });
    expect(error?.message).toContain('no answer within');
  });

  it('tries again after an answer that is cut short, and after a connection that breaks', async () => {
    const truncated: Answer = (_request, response) => response.writeHead(200).end('{"fine": tr');
    const broken: Answer = (_request, response) => response.socket?.destroy();
    const { answer, pausesMs } = await call(await serve(truncated, broken, ok));
    expect(answer).toEqual({ fine: true });
    expect(pausesMs).toHaveLength(2);
  });

  it('says why a server cannot be reached', async () => {
    const target = await serve(ok);
    await target.close();
    const { error } = await call(target, {}, { timeoutMs: 1000, maxRetries: 0 });
    expect(error?.message).toMatch(/ECONNREFUSED/u);
  });

  it('does not follow a redirect with the key', async () => {
    const target = await serve(status(302, {}, { location: 'http://127.0.0.1:1/stolen' }));
    const { error } = await call(target, { headers: { 'x-key': 'secret' } }, { timeoutMs: 1000, maxRetries: 0 });
    expect(error?.message).toContain('redirect');
  });

  it('never repeats the key, even if the service does', async () => {
    const target = await serve(status(401, { error: { message: 'Incorrect API key provided: sk-very-secret' } }));
    const { error } = await call(target, { secret: 'sk-very-secret' });
    expect(error?.message).toContain('[key]');
    expect(JSON.stringify([error?.message, error?.hint, String(error?.cause)])).not.toContain('sk-very-secret');
  });

  it('shows the beginning of an answer it cannot read', async () => {
    const target = await serve((_request, response) => response.writeHead(404).end('<html>not here</html>'));
    expect((await call(target)).error?.message).toContain('<html>not here</html>');
  });
});
