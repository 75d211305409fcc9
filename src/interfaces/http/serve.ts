import http from 'node:http';
import { readFileSync } from 'node:fs';
import type net from 'node:net';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { errorMessage, MnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { collectSooner } from '../../platform/machine.ts';
import { bracketed, listen } from '../listen.ts';
import { type CallQueue, RequestRate } from '../mcp/call-queue.ts';
import type { OpenHome } from '../mcp/open-home.ts';
import { isLoopback } from '../mcp/serve-http.ts';
import { type ApiClients, siteRules } from './access/clients.ts';
import { createApp } from './app.ts';
import { loadRoutes } from './routes/routes.ts';
import { HomeFollower } from '../../runtime/events/follow-home.ts';
import { EventHub } from './events/hub.ts';
import { McpMount } from './mcp-mount.ts';
import { Metrics } from './metrics.ts';
import { HttpProblem, toProblem } from './problem.ts';
import type { ApiRole } from './route.ts';
import { StaticFiles, findPackageFile } from './static-files.ts';
import { AnswerThreads } from './threads/answer-threads.ts';
import { Turns } from './api.ts';

/** One beside the main thread; each takes some 100 MB and answers searches. */
export const ANSWER_THREADS = 1;

export interface ServeParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly clients: ApiClients;
  readonly clock: Clock;
  readonly version: string;
  readonly onProblem: (message: string) => void;
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** From one token; 0: no limit. */
  readonly maxRequestsPerMinute: number;
  readonly timeoutMs: number;
  readonly hasDashboard: boolean;
  /** Threads beside the main one that answer questions. */
  readonly threads: number;
}

export interface Serving {
  /** Where it listens, without a slash at its end. */
  readonly url: string;
  /** A token that ends with this process. */
  readonly issueToken: (name: string, role: ApiRole) => string;
  readonly hasDashboard: boolean;
  readonly close: () => Promise<void>;
}

/** Limit for clients without a token; guessing one at this rate is hopeless. */
const GUESTS_PER_MINUTE = 120;
/** Answers under way get this long when the server stops. */
const LAST_ANSWERS_MS = 3000;
/** The interval at which Node looks for requests that are not received in time. */
const MAX_LOOK_MS = 5000;
const MAX_CONNECTIONS = 512;
const MAX_HEADER_BYTES = 16_384;
/** A client that reconnects within this time receives the missed events. */
const STILL_NEEDED_MS = 60_000;

/** Serves the home over HTTP: the API, its events, the dashboard. */
export async function serveApi(parts: ServeParts, options: ServeOptions): Promise<Serving> {
  assertMayListen(parts, options);
  const { clock } = parts;
  const stop = new AbortController();
  const hub = new EventHub(clock.now().toString(36));
  const metrics = new Metrics(clock);
  const turns = new Turns(parts.calls);
  collectSooner('serving');
  const threads = new AnswerThreads({ home: parts.home.path, onProblem: parts.onProblem });
  const files = StaticFiles.open(options.hasDashboard ? findPackageFile('dist/dashboard') : undefined);
  metrics.gauge('mneme_http_in_flight', 'Requests being answered or waiting.', () => turns.inFlight);
  metrics.gauge('mneme_http_answer_threads', 'Threads that answer questions.', () => threads.ready);
  metrics.gauge('mneme_http_event_streams', 'Clients that listen for events.', () => hub.subscribers);
  const { timeoutMs, maxBodyBytes } = options;
  const mcp = new McpMount({ ...parts, timeoutMs, maxBodyBytes });
  const app = createApp({
    ...parts,
    routes: await loadRoutes(),
    turns,
    threads,
    hub,
    metrics,
    files,
    mcp,
    timeoutMs,
    maxBodyBytes,
    sites: siteRules(options.host, options.allowedHosts, options.allowedOrigins),
    rate: new RequestRate(options.maxRequestsPerMinute, clock),
    guests: new RequestRate(GUESTS_PER_MINUTE, clock),
    openApi: readOpenApi,
    stop: stop.signal,
  });
  const answer = getRequestListener(app.fetch, {
    overrideGlobalObjects: false,
    // Called only for input that cannot even be read as a request.
    errorHandler: (error) => {
      const { status, body } = toProblem(new HttpProblem('usage', errorMessage(error)), parts.home.places);
      return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
    },
  });
  const server = createServer(options, parts.onProblem, answer);
  await listen(server, options);
  const follower = await followHome(parts, hub);
  threads.start(options.threads);
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${bracketed(options.host)}:${port}`,
    issueToken: (name, role) => parts.clients.issue(name, role),
    hasDashboard: files.hasPage,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      stop.abort();
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
      await mcp.close();
      await closed;
      clearTimeout(late);
      follower?.stop();
      await threads.close();
    },
  };
}

/** Others can reach an address beside the loopback's; nobody may listen there who has not said who may connect. */
function assertMayListen({ clients }: ServeParts, { host }: ServeOptions): void {
  if (isLoopback(host) || clients.hasLastingTokens) return;
  throw new MnemeError('refused', `${host} can be reached from other machines, and there is no token yet.`, {
    hint: 'Make one first (`mneme serve tokens add NAME --role main`), or listen on 127.0.0.1.',
  });
}

type Answer = (request: http.IncomingMessage, response: http.ServerResponse) => Promise<void>;

/** Longer than a busy machine makes a client wait: one that sends on a line just closed would see it reset. */
const KEEP_ALIVE_MS = 75_000;

function createServer({ timeoutMs }: ServeOptions, onProblem: (message: string) => void, answer: Answer): http.Server {
  const receiving = {
    requestTimeout: timeoutMs,
    headersTimeout: Math.min(timeoutMs, 10_000),
    connectionsCheckingInterval: Math.min(timeoutMs, MAX_LOOK_MS),
    maxHeaderSize: MAX_HEADER_BYTES,
    keepAliveTimeout: KEEP_ALIVE_MS,
  };
  const server = http.createServer(receiving, (request, response) => {
    response.on('error', ({ message }) => onProblem(message));
    usualForm(request);
    answer(request, response).catch((error: unknown) => {
      onProblem(errorMessage(error));
      response.destroy();
    });
  });
  limitConnections(server, MAX_CONNECTIONS);
  return server;
}

/** An address with a host in it, as proxies send them, counts instead of the `Host` header (RFC 9112 §3.2.2). */
function usualForm(request: http.IncomingMessage): void {
  const given = request.url ?? '/';
  if (!/^https?:/iu.test(given)) return;
  const url = URL.parse(given);
  if (url === null) return;
  request.headers.host = url.host;
  request.url = url.pathname + url.search;
}

async function followHome({ home, onProblem, clock }: ServeParts, hub: EventHub): Promise<HomeFollower | undefined> {
  let neededMs = 0;
  const isNeeded = (): boolean => {
    if (hub.subscribers > 0) neededMs = clock.now();
    return clock.now() - neededMs < STILL_NEEDED_MS;
  };
  try {
    const { internals } = await home.get();
    const follower = new HomeFollower(internals, hub, isNeeded, onProblem);
    follower.start();
    return follower;
  } catch (error) {
    // Every request says so too, and the next one tries again.
    onProblem(`The home cannot be opened: ${errorMessage(error)}`);
    return undefined;
  }
}

let openApi: string | undefined;

function readOpenApi(): string {
  const file = findPackageFile('schemas/openapi.json');
  openApi ??= file === undefined ? undefined : readFileSync(file, 'utf8');
  if (openApi !== undefined) return openApi;
  throw new MnemeError('failure', 'schemas/openapi.json is missing from the package.');
}

/**
 * Keeps `max` connections at most: one more closes the one that has waited longest without a request under way, so that
 * a client that opens connections and says nothing keeps no other client out.
 */
function limitConnections(server: http.Server, max: number): void {
  // In the order in which they became idle.
  const idle = new Set<net.Socket>();
  const busy = new Map<net.Socket, number>();
  server.on('connection', (socket) => {
    idle.add(socket);
    socket.once('close', () => {
      idle.delete(socket);
      busy.delete(socket);
    });
    if (idle.size + busy.size <= max) return;
    const [longest] = idle;
    longest?.destroy();
  });
  server.on('request', ({ socket }, response) => {
    idle.delete(socket);
    busy.set(socket, (busy.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (busy.get(socket) ?? 1) - 1;
      if (left > 0) busy.set(socket, left);
      else {
        busy.delete(socket);
        if (!socket.destroyed) idle.add(socket);
      }
    });
  });
  // A bound for requests that are all under way.
  server.maxConnections = 2 * max;
}
