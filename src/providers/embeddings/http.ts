import type { z } from 'zod';
import { MnemeError, errorMessage, isMnemeError } from '../../model/errors.ts';
import { sleep, systemClock, type Clock } from '../../platform/clock.ts';
import { systemRandom, type Random } from '../../platform/random.ts';
import { withoutKey } from '../../model/text.ts';

/** The world as a call sees it; tests pass their own. */
export interface HttpDeps {
  readonly fetch: typeof fetch;
  readonly sleep: (milliseconds: number) => Promise<void>;
  readonly clock: Clock;
  readonly random: Random;
}

export const systemHttp: HttpDeps = {
  fetch: (input, init) => fetch(input, init),
  sleep,
  clock: systemClock,
  random: systemRandom,
};

export interface CallLimits {
  /** Longest wait for one attempt, its body included. */
  readonly timeoutMs: number;
  readonly maxRetries: number;
}

export interface JsonCall {
  /** The name of the service, as the user knows it. */
  readonly service: string;
  readonly url: string;
  /** Sent as JSON with POST; without a body the call is a GET. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Never repeated in an error, even if the service repeats it. */
  readonly secret?: string | undefined;
  /** Advice on a refusal, where the service's own words do not say. */
  readonly hints?: Readonly<Record<number, string>>;
}

const FIRST_PAUSE_MS = 500;
const LONGEST_PAUSE_MS = 30_000;
const UNKNOWN_BODY_CHARACTERS = 300;

/** A failure after which the same call may succeed. */
class Passing extends Error {
  readonly retryAfterMs: number | undefined;

  constructor(message: string, details: { retryAfterMs?: number | undefined; cause?: unknown } = {}) {
    super(message, { cause: details.cause });
    this.retryAfterMs = details.retryAfterMs;
  }
}

/** Calls a service that speaks JSON; tries again when the service is busy, broken or cannot be reached. */
export async function callJson(call: JsonCall, limits: CallLimits, deps: HttpDeps): Promise<unknown> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await attemptCall(call, limits, deps);
    } catch (error) {
      if (!(error instanceof Passing)) throw error;
      const pauseMs = error.retryAfterMs ?? backOffMs(attempt, deps.random);
      if (attempt >= limits.maxRetries || pauseMs > limits.timeoutMs)
        throw exhausted(call, error, attempt + 1, pauseMs);
      await deps.sleep(pauseMs);
    }
  }
}

/** Doubles each time, with chance in it so that many clients do not return all at once. */
function backOffMs(attempt: number, random: Random): number {
  return Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempt) * (0.5 + random.number() / 2);
}

async function attemptCall(call: JsonCall, limits: CallLimits, deps: HttpDeps): Promise<unknown> {
  let response: Response;
  let text: string;
  try {
    response = await deps.fetch(call.url, {
      method: call.body === undefined ? 'GET' : 'POST',
      headers: { accept: 'application/json', 'content-type': 'application/json', ...call.headers },
      ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
      // A redirect would carry the key to another address.
      redirect: 'error',
      signal: AbortSignal.timeout(limits.timeoutMs),
    });
    text = await response.text();
  } catch (error) {
    throw new Passing(reasonOf(error, limits), { cause: error });
  }
  if (!response.ok) throw failedResponse(call, response, text, deps.clock);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Passing('the answer is cut short or not JSON', { cause: error });
  }
}

function reasonOf(error: unknown, limits: CallLimits): string {
  if (error instanceof Error && error.name === 'TimeoutError') return `no answer within ${limits.timeoutMs / 1000} s`;
  // fetch says only "fetch failed"; what happened is in the cause.
  return errorMessage(error instanceof Error && error.cause !== undefined ? error.cause : error);
}

function failedResponse(call: JsonCall, response: Response, text: string, clock: Clock): Error {
  const said = withoutKey(readServiceMessage(text), call.secret);
  const { status } = response;
  // OpenAI answers an empty account with 429 too; waiting does not fill it.
  const passing = (status === 429 && !text.includes('insufficient_quota')) || status === 408 || status >= 500;
  if (passing) {
    return new Passing(`${status} ${said}`, { retryAfterMs: readRetryAfterMs(response.headers, clock) });
  }
  return new MnemeError(
    status === 404 ? 'not-found' : status === 401 || status === 403 ? 'refused' : 'failure',
    `${call.service} refused to embed (${status}): ${said}`,
    { hint: call.hints?.[status] ?? 'Check the embedding section of mneme.yaml.' },
  );
}

/** Seconds, or a date. */
function readRetryAfterMs(headers: Headers, clock: Clock): number | undefined {
  const value = headers.get('retry-after');
  if (value === null) return undefined;
  const milliseconds = /^\d+(\.\d+)?$/u.test(value) ? Number(value) * 1000 : Date.parse(value) - clock.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}

/** `{error: {message}}` (OpenAI, Gemini), `{error: "…"}` (Ollama), or the beginning of whatever came. */
function readServiceMessage(text: string): string {
  try {
    const { error } = JSON.parse(text) as { error?: unknown };
    if (typeof error === 'string') return error;
    if (typeof error === 'object' && error !== null && 'message' in error) return String(error.message);
  } catch (error) {
    if (!(error instanceof SyntaxError || error instanceof TypeError)) throw error;
  }
  return text.trim() === '' ? 'no reason given' : text.trim().slice(0, UNKNOWN_BODY_CHARACTERS);
}

function exhausted(call: JsonCall, error: Passing, attempts: number, pauseMs: number): MnemeError {
  const tries = attempts === 1 ? '' : ` after ${attempts} attempts`;
  const asked = error.retryAfterMs === undefined ? '' : ` It asks to wait ${Math.ceil(pauseMs / 1000)} s.`;
  return new MnemeError('failure', `${call.service} could not embed${tries}: ${error.message}.${asked}`, {
    hint: 'Search by words goes on; what is missing is embedded when the service answers again.',
    cause: isMnemeError(error.cause) ? undefined : error.cause,
  });
}

/** Parses the answer of a service, and rejects it where it breaks the protocol. */
export function parseAnswer<T>(service: string, schema: z.ZodType<T>, answer: unknown): T {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue === undefined ? '' : ` (${issue.path.join('.')}: ${issue.message})`;
  throw new MnemeError('failure', `${service} sent an answer that is not of its protocol${where}.`, {
    hint: 'Check the address in the embedding section of mneme.yaml: another kind of server may be there.',
  });
}
