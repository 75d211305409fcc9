import { APICallError } from 'ai';
import { describe, expect, it } from 'vitest';
import { toCallError } from './provider.ts';

const NOW_MS = Date.parse('2026-11-15T12:00:00Z');

function failed(
  statusCode: number | undefined,
  details: { headers?: Record<string, string>; body?: string; message?: string } = {},
) {
  const error = new APICallError({
    message: details.message ?? 'no',
    url: 'http://x',
    requestBodyValues: {},
    ...(statusCode === undefined ? { isRetryable: true } : { statusCode }),
    responseHeaders: details.headers ?? {},
    responseBody: details.body ?? '',
  });
  return toCallError(error, 'secret-key', NOW_MS);
}

describe('what a call met', () => {
  it.each([
    [400, 'rejected', false],
    [401, 'unauthorized', false],
    [402, 'out-of-credit', false],
    [403, 'unauthorized', false],
    [404, 'rejected', false],
    [408, 'unavailable', true],
    [429, 'rate-limited', true],
    [500, 'unavailable', true],
    [529, 'unavailable', true],
    [200, 'garbled', true],
    [undefined, 'unreachable', true],
  ] as const)('status %s is %s', (status, failure, isPassing) => {
    expect(failed(status)).toMatchObject({ failure, isPassing });
  });

  it('an empty account is not a passing trouble', () => {
    expect(failed(429, { body: '{"error":{"code":"insufficient_quota"}}' })).toMatchObject({
      failure: 'out-of-credit',
      isPassing: false,
    });
  });

  it('anything else that is thrown', () => {
    expect(toCallError(new TypeError('terminated'), undefined, 0)).toMatchObject({
      failure: 'unreachable',
      isPassing: true,
    });
    expect(toCallError('odd', undefined, 0)).toMatchObject({ failure: 'garbled', message: 'odd' });
  });

  it('the key and long pages are kept out', () => {
    expect(failed(500, { message: 'bad secret-key\n here.' }).message).toBe('500, bad [key] here');
    expect(failed(500, { message: 'x'.repeat(5000) }).message.length).toBeLessThan(220);
    expect(failed(500, { message: '' }).message).toBe('500, no reason given');
  });
});

describe('how long to wait', () => {
  it.each([
    [{ 'retry-after': '3' }, 3000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 12:00:05 GMT' }, 5000],
    [{ 'retry-after': 'Sun, 15 Nov 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after-ms': '120', 'retry-after': '3' }, 120],
    [{ 'retry-after': 'soon' }, undefined],
    [{}, undefined],
  ] as const)('%j', (headers, expected) => {
    expect(failed(429, { headers }).retryAfterMs).toBe(expected);
  });
});
