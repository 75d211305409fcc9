import { createHash, timingSafeEqual } from 'node:crypto';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  hostHeaderValidation,
  originValidation,
  toNodeHandler,
  type NodeIncomingMessageLike,
} from '@modelcontextprotocol/node';
import type { Config } from '../../model/config/schema.ts';
import { MnemeError, errorMessage } from '../../model/errors.ts';
import type { Actor, Role } from '../../model/mutation.ts';
import type { Clock } from '../../platform/clock.ts';
import { bracketed, listen } from '../listen.ts';
import { modeOf, narrower, type Access } from './access.ts';
import { HttpEndpoint } from './http-endpoint.ts';
import { RequestRate } from './call-queue.ts';
import type { ServerParts } from './server.ts';

export interface HttpOptions {
  readonly host: string;
  readonly port: number;
  readonly tokens: TokenTable;
  /** Names besides the loopback's and `host` that requests may carry. */
  readonly allowedHosts: readonly string[];
  readonly allowedOrigins: readonly string[];
  readonly maxBodyBytes: number;
  /** Requests a minute from one token; 0: no limit. */
  readonly maxRequestsPerMinute: number;
  /** Longest time to receive a request, and to answer it. */
  readonly timeoutMs: number;
  readonly clock: Clock;
}

export interface HttpServing {
  readonly url: string;
  readonly close: () => Promise<void>;
}

const PATH = '/mcp';
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
/** Answers under way get this long when the server stops. */
const LAST_ANSWERS_MS = 2000;
/** A call that takes too long says so itself; after this much longer nobody waits even for that. */
const GRACE_MS = 1000;
/**
 * A server that was busy or starved for longer than this ends connections on which requests already wait, and their clients
 * see a reset. With Node's five seconds that happened on any loaded machine.
 */
const KEEP_ALIVE_MS = 75_000;
/** The interval at which Node looks for requests that are not received in time. */
const MAX_LOOK_MS = 5000;

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

/**
 * Streamable HTTP. A page in somebody's browser can reach a loopback port, by its own name for it (DNS rebinding) or
 * directly; so `Host` and `Origin` are checked first, and nothing is served without a token.
 */
export async function serveHttp(parts: ServerParts, options: HttpOptions): Promise<HttpServing> {
  const { tokens, maxBodyBytes, timeoutMs, clock } = options;
  const rate = new RequestRate(options.maxRequestsPerMinute, clock);
  const ownNames = [...LOOPBACK, bracketed(options.host)];
  const isHostAllowed = hostHeaderValidation([...ownNames, ...options.allowedHosts]);
  const isOriginAllowed = originValidation([...ownNames, ...options.allowedOrigins]);
  const endpoint = new HttpEndpoint({ ...parts, timeoutMs }, { maxBodyBytes, clock });
  const limits = { maxRequestBodySize: maxBodyBytes, onerror: ({ message }: Error) => parts.onProblem(message) };
  const answer = async (request: http.IncomingMessage, response: http.ServerResponse): Promise<void> => {
    const pathname = readAddress(request);
    if (pathname === undefined) {
      refuse(response, 400, 'The address of the request is none.');
      return;
    }
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (pathname !== PATH) {
      refuse(response, 404, `There is nothing here; MCP is served at ${PATH}.`);
      return;
    }
    const client = tokens.find(request.headers.authorization);
    if (client === undefined) {
      response.setHeader('WWW-Authenticate', 'Bearer');
      refuse(response, 401, 'A token is needed: Authorization: Bearer TOKEN.');
      return;
    }
    const waitSeconds = rate.take(client.name);
    if (waitSeconds !== undefined) {
      response.setHeader('Retry-After', String(waitSeconds));
      refuse(response, 429, `Too many requests; try again in ${waitSeconds} s.`);
      return;
    }
    if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
      refuseLarge(request, response, maxBodyBytes);
      return;
    }
    answerAfter(response, timeoutMs);
    const fetch = (asked: Request): Promise<Response> => endpoint.answer(asked, { ...client, key: client.name });
    await toNodeHandler({ fetch }, limits)(request as NodeIncomingMessageLike, response);
  };
  const receiving = {
    keepAliveTimeout: KEEP_ALIVE_MS,
    requestTimeout: timeoutMs,
    headersTimeout: timeoutMs,
    connectionsCheckingInterval: Math.min(timeoutMs, MAX_LOOK_MS),
  };
  const server = http.createServer(receiving, (request, response) => {
    // Whatever a request does, the others are still served.
    response.on('error', ({ message }) => parts.onProblem(message));
    answer(request, response).catch((error: unknown) => {
      parts.onProblem(errorMessage(error));
      if (response.headersSent) response.destroy();
      else refuse(response, 500, 'The request could not be answered.');
    });
  });
  await listen(server, options);
  server.on('error', ({ message }) => parts.onProblem(message));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${bracketed(options.host)}:${port}${PATH}`,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeIdleConnections();
      const late = setTimeout(() => server.closeAllConnections(), LAST_ANSWERS_MS);
      await endpoint.close();
      await closed;
      clearTimeout(late);
    },
  };
}

/**
 * The path a request names; undefined when its address cannot be read. An address with a host in it, as proxies send
 * them, counts instead of the `Host` header (RFC 9112 §3.2.2) and is brought into the usual form.
 */
function readAddress(request: http.IncomingMessage): string | undefined {
  const given = request.url ?? '/';
  const url = URL.parse(given, 'http://localhost');
  if (url === null || !/^https?:$/u.test(url.protocol)) return undefined;
  if (/^https?:/iu.test(given)) {
    request.headers.host = url.host;
    request.url = url.pathname + url.search;
  }
  return url.pathname;
}

function refuse(response: http.ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json', connection: 'close' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}

/** For a request that nothing answers. An answer that was begun may be a stream, which lives as long as its client. */
function answerAfter(response: http.ServerResponse, timeoutMs: number): void {
  const timer = setTimeout(() => {
    if (!response.headersSent) refuse(response, 504, `The request took longer than ${timeoutMs / 1000} s.`);
  }, timeoutMs + GRACE_MS);
  response.once('close', () => clearTimeout(timer));
}

/** Told only when all was sent: a client that is cut off while sending reports a broken connection, not the reason. */
function refuseLarge(request: http.IncomingMessage, response: http.ServerResponse, maxBytes: number): void {
  request.once('end', () =>
    refuse(response, 413, `The request is too large: its body must not exceed ${maxBytes} bytes.`),
  );
  request.resume();
}

interface KnownToken {
  readonly digest: Buffer;
  readonly name: string;
  readonly access: Access;
}

/** The clients that may connect over HTTP: holders of these tokens, with the token's role. */
export class TokenTable {
  readonly #tokens: readonly KnownToken[];

  constructor(tokens: readonly { readonly name: string; readonly token: string; readonly access: Access }[]) {
    this.#tokens = tokens.map(({ name, token, access }) => ({ name, access, digest: digest(token) }));
  }

  /** Finds the client of an `Authorization` header. Compared in constant time. */
  find(authorization: string | undefined): { readonly name: string; readonly access: Access } | undefined {
    const given = /^Bearer +(\S+) *$/iu.exec(authorization ?? '')?.[1];
    if (given === undefined) return undefined;
    const own = digest(given);
    return this.#tokens.find((known) => timingSafeEqual(known.digest, own));
  }

  byName(name: string): Access | undefined {
    return this.#tokens.find((known) => known.name === name)?.access;
  }
}

/** Digests have one length, whatever was sent. */
function digest(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

const ACTORS: Readonly<Record<Role, (name: string) => Actor>> = {
  // The same token is a person's over HTTP's API; whoever speaks MCP is a program.
  human: (name) => `bot:${name}`,
  main: (name) => `bot:${name}`,
  subagent: (name) => `subagent:${name}`,
  reader: (name) => `reader:${name}`,
};

/** The tokens of `server.tokens`; a variable that is not set is said, because its holder would only see "401". */
export function configuredTokens(
  { tokens }: Config['server'],
  most: Access['mode'],
  readVariable: (name: string) => string | undefined,
): { readonly name: string; readonly token: string; readonly access: Access }[] {
  return tokens.map(({ name, role, token_env: variable, scope }) => {
    const token = readVariable(variable);
    if (token === undefined) {
      throw new MnemeError('usage', `The token of ${name} is missing: ${variable} is not set.`, {
        hint: 'Set the variable, or take the entry out of server.tokens in mneme.yaml.',
      });
    }
    const actor = ACTORS[role](name.replaceAll(/[^\w.@-]+/gu, '-'));
    return { name, token, access: { actor, mode: narrower(most, modeOf(actor)), scope } };
  });
}
