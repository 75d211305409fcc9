import { z } from 'zod';
import { API_PATH, API_ROLES, mayCall, type Route } from '../../src/interfaces/http/route.ts';
import type { ServedRoute } from '../../src/interfaces/http/routes/routes.ts';

type JsonSchema = Readonly<Record<string, unknown>>;

/** The schemas of the answers, as `scripts/api/type-schemas.ts` reads them from the types. */
export interface AnswerSchemas {
  readonly answers: Readonly<Record<string, JsonSchema>>;
  readonly named: Readonly<Record<string, JsonSchema>>;
}

const ROLES_IN_WORDS: Readonly<Record<Route['needs'], string>> = {
  read: 'any token',
  propose: 'proposer, main, owner',
  write: 'main, owner',
  own: 'owner',
};

const PROBLEM = { $ref: '#/components/schemas/Problem' };
const PROBLEMS: Readonly<Record<string, string>> = {
  400: 'What was given does not fit.',
  401: 'No token, or one that opens nothing.',
  403: 'This token may not, or the request comes from a foreign page.',
  404: 'There is no such thing.',
  409: 'Somebody else was faster; `details` holds both sides where there are two.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  423: 'Somebody else holds a lock.',
  429: 'Too many requests; see Retry-After.',
  503: 'Too much is under way; see Retry-After.',
  504: 'It took too long and was not waited for.',
};

/** The OpenAPI 3.1 document, from the same table that serves. */
export function describeApi(
  routes: readonly ServedRoute[],
  { answers, named }: AnswerSchemas,
  version: string,
): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  const inputs: Record<string, JsonSchema> = {};
  for (const route of routes) {
    const methods = (paths[route.path] ??= {});
    methods[route.method.toLowerCase()] = describeRoute(route, answers[route.name] ?? {}, inputs);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Mneme',
      version,
      description:
        'Long-term memory for AI agents. Every operation of the library, under the name it has on the command line.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ bearer: [] }, { cookie: [] }],
    paths: { ...accessPaths(), ...paths },
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer' },
        cookie: {
          type: 'apiKey',
          in: 'cookie',
          name: 'mneme_session_PORT',
          description: 'With the port that the page was opened at; `POST /api/v1/login` sets it.',
        },
      },
      responses: problemResponses(),
      schemas: { ...named, ...inputs, Problem: problemSchema(), Me: meSchema() },
    },
  };
}

function describeRoute(route: ServedRoute, answer: JsonSchema, named: Record<string, JsonSchema>): JsonSchema {
  const { name, operation, method, needs } = route;
  const input = inputSchema(route, named);
  return {
    operationId: operationId(name),
    summary: operation.summary,
    description: `For tokens of: ${ROLES_IN_WORDS[needs]}.`,
    tags: [name.split(' ')[0]],
    ...(method === 'GET' ? { parameters: parametersOf(input) } : { requestBody: bodyOf(input) }),
    responses: { 200: response('What came of it.', answer), ...problems() },
  };
}

/** Puts self-referring schemas among the named ones, by the operation's name. */
function inputSchema(route: ServedRoute, named: Record<string, JsonSchema>): JsonSchema {
  const { $schema: _dialect, ...schema } = z.toJSONSchema(route.operation.input, {
    io: 'input',
    unrepresentable: 'any',
  });
  const prefix = `${operationId(route.name)}Input`;
  const text = JSON.stringify(schema).replaceAll('"#/$defs/', `"#/components/schemas/${prefix}`);
  const { $defs, ...own } = JSON.parse(text) as { readonly $defs?: Record<string, JsonSchema> };
  for (const [name, definition] of Object.entries($defs ?? {})) named[`${prefix}${name}`] = definition;
  return own;
}

function operationId(name: string): string {
  return name.replaceAll(/ (\w)/gu, (_match, letter: string) => letter.toUpperCase());
}

function parametersOf({ properties = {}, required = [] }: JsonSchema): unknown[] {
  const names = required as readonly string[];
  return Object.entries(properties as Record<string, JsonSchema>).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: names.includes(name),
    description,
    schema,
  }));
}

function bodyOf(schema: JsonSchema): JsonSchema {
  const isNeeded = ((schema['required'] ?? []) as readonly string[]).length > 0 || 'anyOf' in schema;
  return { required: isNeeded, content: { 'application/json': { schema } } };
}

function response(description: string, schema: JsonSchema): JsonSchema {
  return { description, content: { 'application/json': { schema } } };
}

function problems(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.keys(PROBLEMS).map((status) => [status, { $ref: `#/components/responses/Problem${status}` }]),
  );
}

function problemResponses(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(PROBLEMS).map(([status, words]) => [`Problem${status}`, response(words, PROBLEM)]),
  );
}

function problemSchema(): JsonSchema {
  return {
    type: 'object',
    required: ['error'],
    properties: {
      error: {
        type: 'object',
        required: ['code', 'message', 'hint'],
        properties: {
          code: { type: 'string' },
          message: { type: 'string' },
          hint: { type: ['string', 'null'] },
          details: {},
        },
      },
    },
  };
}

function meSchema(): JsonSchema {
  const text = { type: 'string' };
  const flag = { type: 'boolean' };
  const maybe = { type: ['string', 'null'] };
  const properties = {
    name: text,
    role: { enum: [...API_ROLES] },
    actor: text,
    scope: maybe,
    canWrite: flag,
    canPropose: flag,
    canOwn: flag,
    home: maybe,
    version: text,
    timeZone: text,
  };
  return { type: 'object', required: Object.keys(properties), properties };
}

/** The paths that are not operations: login, logout and events. */
function accessPaths(): Record<string, JsonSchema> {
  const me = response('Who is asking.', { $ref: '#/components/schemas/Me' });
  const token = { type: 'object', required: ['token'], properties: { token: { type: 'string' } } };
  return {
    [`${API_PATH}/me`]: {
      get: { operationId: 'me', summary: 'Who is asking.', responses: { 200: me, ...problems() } },
    },
    [`${API_PATH}/login`]: {
      post: {
        operationId: 'login',
        summary: 'Exchange a token for a cookie, for pages.',
        security: [],
        requestBody: { required: true, content: { 'application/json': { schema: token } } },
        responses: { 200: me, ...problems() },
      },
    },
    [`${API_PATH}/logout`]: {
      post: {
        operationId: 'logout',
        summary: 'Give the cookie back.',
        security: [],
        responses: { 200: response('Done.', { type: 'object' }) },
      },
    },
    [`${API_PATH}/events`]: {
      get: {
        operationId: 'events',
        summary: 'Server-sent events: changes, proposals, jobs, alerts, as they happen.',
        parameters: [{ name: 'Last-Event-ID', in: 'header', required: false, schema: { type: 'string' } }],
        responses: {
          200: {
            description: 'A stream that stays open.',
            content: { 'text/event-stream': { schema: { type: 'string' } } },
          },
          ...problems(),
        },
      },
    },
  };
}

/** The routes as rows of a Markdown table, for the docs. */
export function describeRoutesAsTable(routes: readonly ServedRoute[]): string {
  const rows = routes.map(({ method, path, needs, operation }) => {
    const least = API_ROLES.find((role) => mayCall(role, needs)) ?? 'owner';
    return `| \`${method} ${path.slice(API_PATH.length)}\` | ${operation.summary.replaceAll('|', '\\|')} | ${least} |`;
  });
  return ['| route | what it does | least role |', '|---|---|---|', ...rows].join('\n');
}
