import fs from 'node:fs';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { loadRoutes, type RouteName, type ServedRoute } from '../../src/interfaces/http/routes/routes.ts';
import { serveTestHome, type TestServer } from '../support/http-server.ts';
import { arbitraryInput } from '../support/json-schema-arbitrary.ts';
import { exampleCalls } from '../support/http-examples.ts';

const routes = await loadRoutes();

type Json = Record<string, unknown>;

const document = JSON.parse(fs.readFileSync('schemas/openapi.json', 'utf8')) as {
  paths: Record<string, Record<string, Json>>;
  components: { schemas: Record<string, Json> };
};

const problem = z.object({
  error: z.object({ code: z.string(), message: z.string().min(1), hint: z.string().nullable() }),
});
const answerSchemas = new Map<RouteName, z.ZodType>();

function documented({ name, path, method }: ServedRoute): Json {
  const described = document.paths[path]?.[method.toLowerCase()];
  if (described === undefined) throw new Error(`${name} is not in the document.`);
  return described;
}

/** The documented answer as something that can be checked against. */
function answerSchema(route: ServedRoute): z.ZodType {
  const known = answerSchemas.get(route.name);
  if (known !== undefined) return known;
  const described = documented(route) as { responses: Record<string, { content: Record<string, { schema: Json }> }> };
  const schema = described.responses['200']?.content['application/json']?.schema ?? {};
  const text = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const made = z.fromJSONSchema(JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as Json);
  answerSchemas.set(route.name, made);
  return made;
}

async function ask(server: TestServer, route: ServedRoute, input: Json): Promise<{ status: number; body: unknown }> {
  const query = new URLSearchParams();
  if (route.method === 'GET') {
    for (const [name, value] of Object.entries(input)) {
      for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
    }
  }
  const response = await fetch(`${server.url}${route.path}?${query.toString()}`, {
    method: route.method,
    headers: { authorization: `Bearer ${server.token('owner')}`, 'content-type': 'application/json' },
    body: route.method === 'GET' ? null : JSON.stringify(input),
  });
  return { status: response.status, body: await response.json() };
}

function assertDocumented(route: ServedRoute, { status, body }: { status: number; body: unknown }, input: Json): void {
  const schema = status === 200 ? answerSchema(route) : problem;
  const { error } = schema.safeParse(body);
  if (status >= 500 || error !== undefined) {
    throw new Error(
      `${route.name} ${JSON.stringify(input)} → ${status} ${JSON.stringify(body).slice(0, 600)} ${error?.message.slice(0, 600) ?? ''}`,
    );
  }
}

// SPEC HTTP-3
describe('every operation over HTTP', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await serveTestHome();
  });
  afterAll(() => server.close());

  it('has a valid OpenAPI document that names each of them', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document));
    expect(errors ?? []).toEqual([]);
    expect(valid).toBe(true);
    expect(routes.filter((route) => documented(route)['operationId'] === undefined)).toEqual([]);
    const served = await (await fetch(`${server.url}/openapi.json`)).json();
    expect(served).toEqual(document);
  });

  it('takes flat input where it is asked for with GET', () => {
    const nested = routes
      .filter(({ method }) => method === 'GET')
      .filter(({ operation }) => {
        const { properties = {} } = z.toJSONSchema(operation.input, { io: 'input', unrepresentable: 'any' });
        return Object.values(properties).some((one) => typeof one === 'object' && one.type === 'object');
      });
    expect(nested.map(({ name }) => name)).toEqual([]);
  });

  it('answers as documented when it is used as intended', async () => {
    const byName = new Map(routes.map((route) => [route.name, route]));
    const calls = exampleCalls(server);
    const unexpected: string[] = [];
    for (const { name, input, status = 200 } of calls) {
      const route = byName.get(name);
      if (route === undefined) throw new Error(`There is no ${name}.`);
      const given = await input();
      const answer = await ask(server, route, given);
      assertDocumented(route, answer, given);
      if (answer.status !== status)
        unexpected.push(`${name} ${answer.status} ${JSON.stringify(answer.body).slice(0, 300)}`);
    }
    expect(unexpected).toEqual([]);
    const asked = new Set(calls.map(({ name }) => name));
    expect(routes.filter(({ name }) => !asked.has(name))).toEqual([]);
  });

  it('answers as documented, and never with a fault of its own, whatever it is given', async () => {
    // Each takes a while by itself, or changes how everything after it behaves.
    const apart = new Set<RouteName>([
      'backup create',
      'config set',
      'erase',
      'explore start',
      'import',
      'index rebuild',
      'reconstruct start',
      'sync',
    ]);
    for (const route of routes.filter(({ name }) => !apart.has(name))) {
      const numRuns = route.isLong ? Math.ceil(RUNS / 3) : RUNS;
      const inputs = fc.sample(arbitraryInput(route.operation.input), { numRuns, seed: SEED });
      // Many take nothing, and need not be asked the same twice.
      const distinct = new Map(inputs.map((input) => [JSON.stringify(input), input]));
      for (const input of distinct.values()) assertDocumented(route, await ask(server, route, input), input);
    }
    expect(server.problems).toEqual([]);
  });
});

const RUNS = Number(process.env['MNEME_HTTP_RUNS'] ?? 1);
const SEED = Number(process.env['MNEME_HTTP_SEED'] ?? 7);
