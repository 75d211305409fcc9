import { errorMessage } from '../../model/errors.ts';
import { ModelCallError, type CallFailure } from './port.ts';

/** The parts of the SDK's error that are read; recognised by shape, because the package is optional. */
interface SdkCallError extends Error {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
  readonly isRetryable: boolean;
}

const MAX_MESSAGE_CHARACTERS = 200;

/** Whatever a call threw, sorted by what can be done about it; the key is never repeated. */
export function toCallError(error: unknown, secret: string | undefined, nowMs: number): ModelCallError {
  const message = shorten(redact(describe(error), secret));
  if (!isSdkCallError(error)) {
    // Without a status nothing was answered; the network's own errors come as they are.
    const isNetwork = error instanceof TypeError || (error instanceof Error && error.cause instanceof Error);
    const failure = isNetwork ? 'unreachable' : 'garbled';
    return new ModelCallError(failure, message, { isPassing: true, cause: error });
  }
  const { failure, isPassing } = sort(error);
  const retryAfterMs = isPassing ? readRetryAfterMs(error.responseHeaders ?? {}, nowMs) : undefined;
  return new ModelCallError(failure, withStatus(message, error.statusCode), { isPassing, retryAfterMs, cause: error });
}

function isSdkCallError(error: unknown): error is SdkCallError {
  return error instanceof Error && error.name === 'AI_APICallError' && 'isRetryable' in error;
}

function sort({ statusCode, responseBody = '', isRetryable }: SdkCallError): {
  failure: CallFailure;
  isPassing: boolean;
} {
  if (statusCode === undefined) return { failure: 'unreachable', isPassing: isRetryable };
  if (statusCode < 400) return { failure: 'garbled', isPassing: true };
  if (statusCode === 401 || statusCode === 403) return { failure: 'unauthorized', isPassing: false };
  // An empty account is answered with 429 too; waiting does not fill it.
  if (statusCode === 402 || responseBody.includes('insufficient_quota')) {
    return { failure: 'out-of-credit', isPassing: false };
  }
  if (statusCode === 429) return { failure: 'rate-limited', isPassing: true };
  if (statusCode === 408 || statusCode >= 500) return { failure: 'unavailable', isPassing: true };
  return { failure: 'rejected', isPassing: false };
}

/** Milliseconds, seconds or a date. */
function readRetryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | undefined {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (!Number.isNaN(exact)) return Math.max(0, exact);
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const milliseconds = /^\d+(?:\.\d+)?$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - nowMs;
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** fetch says only "fetch failed"; what happened is in the cause. */
function describe(error: unknown): string {
  const isBare = error instanceof TypeError && error.cause !== undefined;
  return errorMessage(isBare ? error.cause : error);
}

function redact(text: string, secret: string | undefined): string {
  return secret === undefined || secret === '' ? text : text.replaceAll(secret, '[key]');
}

function shorten(text: string): string {
  const line = text.replaceAll(/\s+/gu, ' ').trim().replace(/\.$/u, '');
  if (line === '') return 'no reason given';
  return line.length > MAX_MESSAGE_CHARACTERS ? `${line.slice(0, MAX_MESSAGE_CHARACTERS - 1)}…` : line;
}

function withStatus(message: string, status: number | undefined): string {
  return status === undefined || status < 400 ? message : `${status}, ${message}`;
}
