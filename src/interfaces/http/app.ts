import { Hono } from 'hono';
import type { HttpBindings } from '@hono/node-server';
import { roleOf } from '../../model/mutation.ts';
import type { Places } from '../mcp/open-home.ts';
import type { RequestRate } from '../mcp/call-queue.ts';
import { Api, readJsonBody, type ApiParts } from './api.ts';
import type { ApiClient } from './access/token-file.ts';
import { contextFor } from './contexts.ts';
import { type ApiClients, type SiteRules, checkSite, isFromOwnPage, sessionCookie } from './access/clients.ts';
import type { McpMount } from './mcp-mount.ts';
import type { EventHub } from './events/hub.ts';
import { openEventStream } from './events/stream.ts';
import { renderMemoryMetrics } from './memory-metrics.ts';
import type { Metrics } from './metrics.ts';
import { toJson } from './json.ts';
import { HttpProblem, toProblem } from './problem.ts';
import { API_PATH, mayCall } from './route.ts';
import type { StaticFiles } from './static-files.ts';

export interface AppParts extends ApiParts {
  readonly clients: ApiClients;
  readonly sites: SiteRules;
  /** By token, and by address for those who have none. */
  readonly rate: RequestRate;
  readonly guests: RequestRate;
  readonly hub: EventHub;
  readonly metrics: Metrics;
  readonly files: StaticFiles;
  readonly mcp: McpMount;
  readonly version: string;
  readonly openApi: () => string;
  readonly stop: AbortSignal;
  readonly onProblem: (message: string) => void;
}

interface Env {
  Bindings: HttpBindings;
  Variables: { route: string };
}

/** The logged-in client, as the dashboard shows it. */
export interface Me {
  readonly name: string;
  readonly role: ApiClient['role'];
  readonly actor: string;
  readonly scope: string | null;
  readonly canWrite: boolean;
  readonly canPropose: boolean;
  readonly canOwn: boolean;
  /** null for agents: where the home lies is its owner's business. */
  readonly home: string | null;
  readonly version: string;
  readonly timeZone: string;
}

const COMMON_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
} as const;
const API_POLICY = "default-src 'none'; frame-ancestors 'none'";
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, POST, PUT',
  'access-control-allow-headers': 'authorization, content-type, last-event-id',
  'access-control-max-age': '600',
};

export function createApp(parts: AppParts): Hono<Env> {
  const app = new Hono<Env>({ strict: true });
  const api = new Api(parts);
  addFrame(app, parts);
  app.get('/healthz', (c) => {
    c.set('route', 'healthz');
    return c.json({ status: 'ok' });
  });
  app.get('/openapi.json', (c) => {
    c.set('route', 'openapi');
    return c.body(parts.openApi(), 200, { 'content-type': 'application/json' });
  });
  app.get('/metrics', async (c) => {
    c.set('route', 'metrics');
    const client = identify(parts, c.env.incoming);
    const memory = await renderMemoryMetrics((name, input) => api.askFor(client, name, input ?? {}, c.req.raw.signal));
    const text = `${parts.metrics.render(parts.version)}${memory}`;
    return c.body(text, 200, { 'content-type': 'text/plain; version=0.0.4' });
  });
  addAccess(app, parts);
  addEvents(app, parts);
  app.all(`${API_PATH}/*`, async (c) => {
    const client = identify(parts, c.env.incoming);
    const route = api.find(c.req.method, c.req.path);
    c.set('route', route.name);
    const result = await api.run(route, client, c.req.raw);
    return c.body(toJson(result), 200, { 'content-type': 'application/json' });
  });
  app.all('/mcp', (c) => {
    c.set('route', 'mcp');
    return parts.mcp.answer(c.req.raw, identify(parts, c.env.incoming));
  });
  app.get('*', (c) => {
    c.set('route', 'page');
    const found = parts.files.answer(c.req.path, c.req.raw.headers);
    if (found !== undefined) return found;
    if (c.req.path === '/') return c.text(NO_PAGE);
    throw new HttpProblem('not-found', 'There is nothing here.', { hint: `The API is under ${API_PATH}.` });
  });
  app.notFound(() => {
    throw new HttpProblem('not-found', 'There is nothing here.', { hint: `The API is under ${API_PATH}.` });
  });
  return app;
}

const NO_PAGE = `Mneme's API is under ${API_PATH}; /openapi.json describes it. The dashboard is not built here (npm run build).\n`;

/** Adds the rules for every request: access, headers, errors in one form, counting. */
function addFrame(app: Hono<Env>, parts: AppParts): void {
  app.use('*', async (c, next) => {
    const startedMs = performance.now();
    c.set('route', 'none');
    const origin = checkSite(c.env.incoming.headers, parts.sites);
    if (origin !== undefined && c.req.method === 'OPTIONS')
      c.res = new Response(null, { status: 204, headers: PREFLIGHT });
    else await next();
    const { headers } = c.res;
    for (const [name, value] of Object.entries(COMMON_HEADERS)) headers.set(name, value);
    if (!headers.has('content-security-policy')) headers.set('content-security-policy', API_POLICY);
    if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
    if (origin !== undefined) {
      headers.set('access-control-allow-origin', origin);
      headers.set('cross-origin-resource-policy', 'cross-origin');
      headers.append('vary', 'origin');
    }
    parts.metrics.count(c.get('route'), c.res.status, performance.now() - startedMs);
  });
  app.onError((error, c) => {
    const { status, headers, body, isFault } = toProblem(error, placesOf(parts));
    if (isFault) parts.onProblem(`${c.req.method} ${c.get('route') ?? 'none'}: ${error.message}`);
    const all = { ...COMMON_HEADERS, 'cache-control': 'no-store', 'content-type': 'application/json', ...headers };
    return new Response(JSON.stringify(body), { status, headers: all });
  });
}

function placesOf({ home }: AppParts): Places {
  return home.places;
}

type Incoming = HttpBindings['incoming'];

/** Returns the client that a request comes from; throws when it is unknown or asks too often. */
function identify(parts: AppParts, incoming: Incoming): ApiClient {
  const client = findClient(parts, incoming);
  if (client === undefined) {
    takeOrRefuse(parts.guests, addressOf(incoming));
    throw new HttpProblem('unauthorized', 'A token is needed: Authorization: Bearer TOKEN.', {
      hint: 'The owner of the memory makes one with `mneme serve tokens add`.',
      headers: { 'www-authenticate': 'Bearer' },
    });
  }
  takeOrRefuse(parts.rate, client.name);
  return client;
}

function findClient({ clients }: AppParts, incoming: Incoming): ApiClient | undefined {
  const { authorization } = incoming.headers;
  if (authorization !== undefined) return clients.findByHeader(authorization);
  const cookie = cookieOf(incoming);
  if (cookie === undefined || !isFromOwnPage(incoming.headers)) return undefined;
  return clients.findByCookie(cookie);
}

function cookieOf(incoming: Incoming): string | undefined {
  const pairs = (incoming.headers.cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const own = sessionCookie(incoming.headers.host);
  return pairs.find(([name]) => name === own)?.[1];
}

function takeOrRefuse(rate: RequestRate, who: string): void {
  const waitSeconds = rate.take(who);
  if (waitSeconds === undefined) return;
  throw new HttpProblem('rate', `Too many requests; try again in ${waitSeconds} s.`, {
    headers: { 'retry-after': String(waitSeconds) },
  });
}

function addressOf(incoming: Incoming): string {
  return `guest ${incoming.socket.remoteAddress ?? 'unknown'}`;
}

function addAccess(app: Hono<Env>, parts: AppParts): void {
  app.get(`${API_PATH}/me`, async (c) => {
    c.set('route', 'me');
    return c.json(await describe(parts, identify(parts, c.env.incoming)));
  });
  app.post(`${API_PATH}/login`, async (c) => {
    c.set('route', 'login');
    takeOrRefuse(parts.guests, addressOf(c.env.incoming));
    const { token } = await readJsonBody(c.req.raw, parts.maxBodyBytes);
    if (typeof token !== 'string') throw new HttpProblem('usage', 'Which token? {"token": "…"}');
    const { cookie, client, maxAgeSeconds } = parts.clients.logIn(token);
    const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}`;
    const name = sessionCookie(c.env.incoming.headers.host);
    return c.json(await describe(parts, client), 200, { 'set-cookie': `${name}=${cookie}; ${attributes}` });
  });
  app.post(`${API_PATH}/logout`, (c) => {
    c.set('route', 'logout');
    const cookie = cookieOf(c.env.incoming);
    if (cookie !== undefined) parts.clients.logOut(cookie);
    const name = sessionCookie(c.env.incoming.headers.host);
    return c.json({}, 200, { 'set-cookie': `${name}=; Path=/; HttpOnly; SameSite=Strict; Max-Age=0` });
  });
}

async function describe({ home, version }: AppParts, { name, role, actor, scope }: ApiClient): Promise<Me> {
  const { internals } = await home.get();
  return {
    name,
    role,
    actor,
    scope: scope ?? null,
    canWrite: mayCall(role, 'write'),
    canPropose: mayCall(role, 'propose'),
    canOwn: mayCall(role, 'own'),
    home: roleOf(actor) === 'human' ? internals.home : null,
    version,
    timeZone: internals.config.time_zone,
  };
}

/** Open connections cost little, but not nothing. */
const MAX_STREAMS = 200;
/** More tabs than anybody has open; one token must not take every place there is. */
const MAX_STREAMS_EACH = 40;

function addEvents(app: Hono<Env>, parts: AppParts): void {
  const listening = new Map<string, number>();
  app.get(`${API_PATH}/events`, async (c) => {
    c.set('route', 'events');
    const { incoming } = c.env;
    const client = identify(parts, incoming);
    const context = contextFor(await parts.home.get(), client);
    const own = listening.get(client.name) ?? 0;
    if (parts.hub.subscribers >= MAX_STREAMS || own >= MAX_STREAMS_EACH) {
      throw new HttpProblem('busy', 'Too many listen already.', { hint: 'Close some of the pages that are open.' });
    }
    listening.set(client.name, own + 1);
    const stream = openEventStream({
      hub: parts.hub,
      context,
      lastEventId: c.req.header('last-event-id'),
      now: () => parts.clock.now(),
      isWelcome: () => findClient(parts, incoming)?.name === client.name,
      onEnd: () => void listening.set(client.name, Math.max(0, (listening.get(client.name) ?? 0) - 1)),
      stop: parts.stop,
    });
    return c.body(stream, 200, { 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' });
  });
}
