import { POSTS, PUTS, type Operations } from './operations.ts';

export type Name = keyof Operations;
export type Input<N extends Name> = Operations[N][0];
export type Output<N extends Name> = Operations[N][1];

/** What the server says went wrong, and what to do about it. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: unknown;

  constructor(status: number, { code, message, hint, details }: Failure) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.hint = hint ?? undefined;
    this.details = details;
  }
}

interface Failure {
  readonly code: string;
  readonly message: string;
  readonly hint?: string | null;
  readonly details?: unknown;
}

/** Relative, so that the page works under whatever path it is served. */
const BASE = 'api/v1/';

export async function call<N extends Name>(name: N, input: Input<N>, signal?: AbortSignal): Promise<Output<N>> {
  const method = PUTS.has(name) ? 'PUT' : POSTS.has(name) ? 'POST' : 'GET';
  const path = BASE + name.replaceAll(' ', '/');
  const response = await fetch(method === 'GET' ? path + queryOf(input) : path, {
    method,
    signal: signal ?? null,
    credentials: 'same-origin',
    headers: method === 'GET' ? { accept: 'application/json' } : { 'content-type': 'application/json' },
    body: method === 'GET' ? null : JSON.stringify(input),
  });
  if (!response.ok) throw new ApiError(response.status, await failureOf(response));
  return (await response.json()) as Output<N>;
}

function queryOf(input: object): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(input) as [string, unknown][]) {
    if (value === undefined || value === null) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(key, String(one));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

async function failureOf(response: Response): Promise<Failure> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error?: Failure };
    if (error !== undefined) return error;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  // A proxy in between answers in words of its own.
  return { code: 'failure', message: `The server answered ${response.status} ${response.statusText}.` };
}
