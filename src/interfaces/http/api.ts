import { z } from 'zod';
import { errorMessage, isMnemeError } from '../../model/errors.ts';
import { runOperation } from '../../operations/operation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { OpenHome } from '../mcp/open-home.ts';
import type { ApiClient } from './access/token-file.ts';
import { contextFor } from './contexts.ts';
import { HttpProblem } from './problem.ts';
import { mayCall, pathOf } from './route.ts';
import type { ServedRoute } from './routes/routes.ts';
import type { AnswerThreads } from './threads/answer-threads.ts';
import { type CallQueue, withinTime } from '../mcp/call-queue.ts';

export interface ApiParts {
  readonly home: OpenHome;
  readonly turns: Turns;
  readonly threads: AnswerThreads;
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  /** Everything the API offers; see `loadRoutes`. */
  readonly routes: readonly ServedRoute[];
}

interface ReadyRoute extends ServedRoute {
  readonly readQuery: QueryReader;
}

/** Reflections and imports of a year take minutes; nothing takes longer than this and is still waited for. */
const LONG_MS = 600_000;

/** The operations behind the table: finds the one a request means, reads what it is given, runs it. */
export class Api {
  readonly #parts: ApiParts;
  readonly #byPath = new Map<string, ReadyRoute[]>();

  constructor(parts: ApiParts) {
    this.#parts = parts;
    for (const route of parts.routes) {
      const ready = { ...route, readQuery: createQueryReader(route.operation.input) };
      this.#byPath.set(route.path, [...(this.#byPath.get(route.path) ?? []), ready]);
    }
  }

  /** Throws what a client is told when there is no such thing to ask for. */
  find(method: string, pathname: string): ServedRoute {
    const routes = this.#byPath.get(pathname);
    if (routes === undefined) {
      throw new HttpProblem('not-found', `There is nothing at ${JSON.stringify(pathname.slice(0, 100))}.`, {
        hint: '/openapi.json lists what there is.',
      });
    }
    const found = routes.find((route) => route.method === method);
    if (found !== undefined) return found;
    const allowed = routes.map((route) => route.method).join(', ');
    throw new HttpProblem('method', `${pathname} takes ${allowed}, not ${method}.`, { headers: { allow: allowed } });
  }

  async run(route: ServedRoute, client: ApiClient, request: Request): Promise<unknown> {
    if (!mayCall(client.role, route.needs)) {
      throw new HttpProblem('refused', `A token of the role ${client.role} may not use ${pathOf(route.name)}.`, {
        hint: 'Ask the owner of the memory for a token of another role (`mneme serve tokens add --role …`).',
      });
    }
    const input = await this.#readInput(route, request);
    if (holdsNul(input)) throw new HttpProblem('usage', 'A text must not hold the character NUL.');
    const { home, turns, timeoutMs } = this.#parts;
    const body = async (): Promise<unknown> => {
      const answered = await this.#askThread(route, client, input);
      if (answered !== undefined) return answered;
      const context = contextFor(await home.get(), client);
      return runOperation(route.operation, context, input);
    };
    if (route.isLong) return withinTime(LONG_MS, request.signal, () => turns.runLong(body), tooLate);
    return withinTime(timeoutMs, request.signal, (signal) => turns.run(signal, body), tooLate);
  }

  /** The answer of an operation to the server's own pages; undefined where this client may not have it. */
  async askFor(client: ApiClient, name: string, input: object, signal: AbortSignal): Promise<unknown> {
    const route = this.#parts.routes.find((each) => each.name === name);
    if (route === undefined) throw new TypeError(`There is no route for ${name}.`);
    if (!mayCall(client.role, route.needs)) return undefined;
    const { home, turns, timeoutMs } = this.#parts;
    const body = async (): Promise<unknown> => {
      try {
        return await runOperation(route.operation, contextFor(await home.get(), client), input);
      } catch (error) {
        if (isMnemeError(error) && error.code === 'refused') return undefined;
        throw error;
      }
    };
    return withinTime(timeoutMs, signal, (within) => turns.run(within, body), tooLate);
  }

  /** Only questions about the present: the past is opened once, and kept where it was opened. */
  async #askThread({ name }: ServedRoute, client: ApiClient, input: unknown): Promise<unknown> {
    if (name !== 'recall' || typeof input !== 'object' || input === null || 'at' in input) return undefined;
    return this.#parts.threads.recall({ actor: client.actor, scope: client.scope, input });
  }

  async #readInput(route: ServedRoute, request: Request): Promise<unknown> {
    const query = new URL(request.url).searchParams;
    if (route.method === 'GET') return (route as ReadyRoute).readQuery(query);
    if (query.size > 0) throw new HttpProblem('usage', 'What it takes goes into the body, not into the address.');
    return readJsonBody(request, this.#parts.maxBodyBytes);
  }
}

/** No file name, no argument of a program and no text that anybody wrote holds it; what does is meant to confuse. */
function holdsNul(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('\0');
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([name, one]) => name.includes('\0') || holdsNul(one));
}

/** A JSON object; an empty body stands for an empty one. */
export async function readJsonBody(request: Request, maxBytes: number): Promise<Record<string, unknown>> {
  const text = await readText(request, maxBytes);
  if (text.trim() === '') return {};
  // A form on another page can send text, but never JSON by its own name.
  const type = request.headers.get('content-type') ?? '';
  if (!/^application\/json\b/iu.test(type)) {
    throw new HttpProblem('media-type', 'The body must be JSON.', { hint: 'Send content-type: application/json.' });
  }
  const value = parseBody(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  throw new HttpProblem('usage', 'The body must be a JSON object.');
}

/** Deeper than anything that is asked for; far deeper ones would exhaust the stack of whoever walks through them. */
const MAX_DEPTH = 100;

function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const letter = text[at];
    if (isText && letter === '\\') at += 1;
    else if (letter === '"') isText = !isText;
    else if (!isText && (letter === '[' || letter === '{')) depth += 1;
    else if (!isText && (letter === ']' || letter === '}')) depth -= 1;
    if (depth > MAX_DEPTH) return true;
  }
  return false;
}

function parseBody(text: string): unknown {
  if (isTooDeep(text)) throw new HttpProblem('usage', `The body is nested deeper than ${MAX_DEPTH} levels.`);
  try {
    return JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new HttpProblem('usage', `The body is no JSON: ${error.message.slice(0, 200)}.`);
  }
}

function tooLarge(maxBytes: number): HttpProblem {
  return new HttpProblem('too-large', `The body must not exceed ${maxBytes} bytes.`, {
    hint: 'Send less at once.',
  });
}

async function receive(request: Request, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of request.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    if (error instanceof HttpProblem) throw error;
    // A client that disconnects in the middle is not a failure of the server, and must not fill its log.
    throw new HttpProblem('usage', `The body did not arrive: ${errorMessage(error)}.`);
  }
  return Buffer.concat(chunks);
}

async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const bytes = await receive(request, maxBytes);
  try {
    return decoder.decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    throw new HttpProblem('usage', 'The body is not UTF-8.');
  }
}

function tooLate(message: string, hint: string): HttpProblem {
  return new HttpProblem('timeout', message, { hint });
}

interface PropertySchema {
  readonly type?: string;
  readonly items?: PropertySchema;
  readonly anyOf?: readonly PropertySchema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
}

/** Turns a query string into the input of an operation, by the types in its schema. */
type QueryReader = (query: URLSearchParams) => Record<string, unknown>;

export function createQueryReader(input: z.ZodType): QueryReader {
  const { properties = {} } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, PropertySchema>;
  };
  const known = new Map(Object.entries(properties));
  return (query) => {
    const given: Record<string, unknown> = {};
    for (const name of new Set(query.keys())) {
      const schema = known.get(name);
      if (schema === undefined) {
        throw new HttpProblem('usage', `There is no option ${JSON.stringify(name.slice(0, 60))}.`, {
          hint: known.size === 0 ? 'It takes none.' : `It takes ${[...known.keys()].join(', ')}.`,
        });
      }
      // Skipped, because an assignment to `__proto__` would be lost; no operation has such an option.
      given[name] = readValue(schema, query.getAll(name));
    }
    return given;
  };
}

function readValue(schema: PropertySchema, values: readonly string[]): unknown {
  const types = typesOf(schema);
  if (types.includes('array')) return values.map((value) => readOne(itemOf(schema), value));
  const [value = '', ...more] = values;
  // Named twice where one is meant: the operation says what it expects.
  return more.length > 0 ? values : readOne(schema, value);
}

/** Leaves a value that does not fit its type as it is, for the operation to report in its own words. */
function readOne(schema: PropertySchema, value: string): unknown {
  const types = typesOf(schema);
  if (types.includes('string')) return value;
  if ((types.includes('number') || types.includes('integer')) && /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/iu.test(value)) {
    return Number(value);
  }
  if (types.includes('boolean') && (value === 'true' || value === 'false')) return value === 'true';
  if (types.includes('null') && value === 'null') return null;
  return value;
}

function typesOf(schema: PropertySchema): readonly string[] {
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.type !== undefined) return [schema.type];
  const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const]);
  return values.map((value) => (value === null ? 'null' : typeof value));
}

function itemOf({ items, anyOf = [] }: PropertySchema): PropertySchema {
  return items ?? anyOf.find((one) => one.items !== undefined)?.items ?? {};
}

/** More than this many waiting would wait longer than anybody does. */
const MAX_WAITING = 200;
/** Calls that take minutes must not delay questions; two at a time do not starve one another. */
const MAX_LONG = 2;

/** Calls take turns; where too many wait already, the next is told so at once. */
export class Turns {
  readonly #calls: CallQueue;
  #waiting = 0;
  #long = 0;

  constructor(calls: CallQueue) {
    this.#calls = calls;
  }

  get inFlight(): number {
    return this.#waiting + this.#long;
  }

  async run<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw busy('Too many requests are waiting.');
    this.#waiting += 1;
    try {
      return await this.#calls.run(signal, body);
    } finally {
      this.#waiting -= 1;
    }
  }

  async runLong<T>(body: () => Promise<T>): Promise<T> {
    if (this.#long >= MAX_LONG) throw busy('Two long pieces of work are under way already.');
    this.#long += 1;
    try {
      return await body();
    } finally {
      this.#long -= 1;
    }
  }
}

function busy(message: string): HttpProblem {
  return new HttpProblem('busy', message, { hint: 'Try again in a moment.', headers: { 'retry-after': '1' } });
}
