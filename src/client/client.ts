import type { ApiEvents, EventName } from '../interfaces/http/events/hub.ts';
import type { Me } from '../interfaces/http/app.ts';
import type { ProblemCode } from '../interfaces/http/problem.ts';
import type { AnswerOf, InputOf, RouteName } from '../interfaces/http/routes/routes.ts';
import { METHODS } from './methods.ts';

export type { AnswerOf, ApiEvents, EventName, InputOf, Me, ProblemCode, RouteName, ServerEvent };

export interface ClientOptions {
  /** Where the server listens, such as http://127.0.0.1:6636. In a page of the server: ''. */
  readonly baseUrl?: string;
  /** Left out in a page that has logged in. */
  readonly token?: string;
  readonly fetch?: typeof globalThis.fetch;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
}

/** The server's answer instead of a result; `status` is 0 when there was no answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: ProblemCode | 'unreachable';
  readonly hint: string | undefined;
  /** Both sides of a conflict, where there are two. */
  readonly details: unknown;

  constructor(
    status: number,
    problem: {
      readonly code: ApiError['code'];
      readonly message: string;
      readonly hint?: string | null;
      readonly details?: unknown;
    },
    cause?: unknown,
  ) {
    super(problem.message, cause === undefined ? undefined : { cause });
    this.name = 'ApiError';
    this.status = status;
    this.code = problem.code;
    this.hint = problem.hint ?? undefined;
    this.details = problem.details;
  }
}

const API_PATH = '/api/v1';

/** Asks a Mneme server: `await new MnemeClient({ baseUrl, token }).call('recall', { query: 'port' })`. */
export class MnemeClient {
  readonly #baseUrl: string;
  readonly #token: string | undefined;
  readonly #fetch: typeof globalThis.fetch;

  constructor({ baseUrl = '', token, fetch }: ClientOptions = {}) {
    this.#baseUrl = baseUrl.replace(/\/+$/u, '');
    this.#token = token;
    // A page's own fetch wants to be called on its window.
    this.#fetch = fetch ?? ((...given) => globalThis.fetch(...given));
  }

  /** Runs an operation by the name it has on the command line. */
  async call<Name extends RouteName>(
    name: Name,
    ...[input, options]: Record<string, never> extends InputOf<Name>
      ? [input?: InputOf<Name>, options?: CallOptions]
      : [input: InputOf<Name>, options?: CallOptions]
  ): Promise<AnswerOf<Name>> {
    const method = METHODS[name];
    const path = `${API_PATH}/${name.replaceAll(' ', '/')}`;
    const given = (input ?? {}) as Readonly<Record<string, unknown>>;
    const answer =
      method === 'GET'
        ? await this.#ask(`${path}${queryOf(given)}`, { method }, options)
        : await this.#ask(path, { method, body: JSON.stringify(given), headers: JSON_BODY }, options);
    return answer as AnswerOf<Name>;
  }

  async me(options?: CallOptions): Promise<Me> {
    return (await this.#ask(`${API_PATH}/me`, { method: 'GET' }, options)) as Me;
  }

  /** For pages: the token becomes a cookie, which the page itself cannot read. */
  async logIn(token: string): Promise<Me> {
    const body = JSON.stringify({ token });
    return (await this.#ask(`${API_PATH}/login`, { method: 'POST', body, headers: JSON_BODY })) as Me;
  }

  async logOut(): Promise<void> {
    await this.#ask(`${API_PATH}/logout`, { method: 'POST', body: '{}', headers: JSON_BODY });
  }

  /** Streams the memory's events. Ends when the connection does; `lastEventId` continues where it ended. */
  async *events({
    signal,
    lastEventId,
  }: CallOptions & { readonly lastEventId?: string } = {}): AsyncGenerator<ServerEvent> {
    const resume = lastEventId === undefined ? {} : { 'last-event-id': lastEventId };
    const response = await this.#send(`${API_PATH}/events`, { method: 'GET', headers: resume }, { signal });
    if (response.body !== null) yield* readEvents(response.body);
  }

  async #ask(path: string, request: RequestInit, options: CallOptions = {}): Promise<unknown> {
    const response = await this.#send(path, request, options);
    return response.json();
  }

  async #send(
    path: string,
    request: RequestInit,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): Promise<Response> {
    const headers = new Headers(request.headers);
    if (this.#token !== undefined) headers.set('authorization', `Bearer ${this.#token}`);
    const url = `${this.#baseUrl}${path}`;
    let response: Response;
    try {
      response = await this.#fetch(url, { ...request, headers, signal: signal ?? null });
    } catch (error) {
      if (signal?.aborted === true) throw error;
      const message = 'The server does not answer.';
      throw new ApiError(0, { code: 'unreachable', message, hint: 'Is it running? mneme serve' }, error);
    }
    if (response.ok) return response;
    throw await readProblem(response);
  }
}

const JSON_BODY = { 'content-type': 'application/json' };

async function readProblem(response: Response): Promise<ApiError> {
  const text = await response.text();
  try {
    const { error } = JSON.parse(text) as { error: ConstructorParameters<typeof ApiError>[1] };
    return new ApiError(response.status, error);
  } catch (cause) {
    const message = `The server answered ${response.status} in words that nobody can read.`;
    return new ApiError(response.status, { code: 'failure', message }, cause);
  }
}

function queryOf(given: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size === 0 ? '' : `?${query.toString()}`;
}

/** One event; `id` is what a client that lost its connection names to go on. */
type ServerEvent = {
  [Name in EventName]: { readonly id: string | undefined; readonly name: Name; readonly data: ApiEvents[Name] };
}[EventName];

/** Reads a stream of server-sent events. */
export async function* readEvents(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<ServerEvent> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  let lastId: string | undefined;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      const parts = (rest + value).split(/\r?\n\r?\n/u);
      rest = parts.pop() ?? '';
      for (const part of parts) {
        const fields = parseFields(part);
        lastId = fields.get('id') ?? lastId;
        const name = fields.get('event');
        const data = fields.get('data');
        if (name !== undefined && data !== undefined) {
          yield { id: lastId, name, data: JSON.parse(data) as unknown } as ServerEvent;
        }
      }
    }
  } finally {
    await reader.cancel();
  }
}

function parseFields(text: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of text.split(/\r?\n/u)) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/u.exec(line) ?? [];
    if (name !== '') fields.set(name, fields.has(name) ? `${fields.get(name) ?? ''}\n${value}` : value);
  }
  return fields;
}
