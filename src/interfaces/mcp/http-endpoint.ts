import {
  createMcpHandler,
  isInitializeRequest,
  isLegacyRequest,
  readRequestBody,
  type AuthInfo,
  type McpHttpHandler,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../platform/clock.ts';
import type { Access } from './access.ts';
import { HttpSessions, SESSION_HEADER } from './http-sessions.ts';
import { createServer, type ServerParts } from './server.ts';
import { ResourceBus } from './resource-changes.ts';
import { parseJson } from '../../model/records.ts';

/** The message that begins a session is small; a longer one is another and is not read twice. */
const MAX_HELLO_BYTES = 64 * 1024;
const SESSION_NOT_FOUND = -32_001;

export interface EndpointClient {
  /** The client behind these requests: a token's name, or another mark that tells two clients apart. */
  readonly key: string;
  readonly name: string;
  readonly access: Access;
}

export interface EndpointOptions {
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly maxSessions?: number | undefined;
}

/**
 * MCP over HTTP, whichever server it is part of. A client of 2026 says everything with each request. One of 2025 gets a
 * session; but when that is gone (the server was started anew, or it was silent for long) its calls are answered all the
 * same, one by one: most such clients cannot begin again by themselves.
 */
export class HttpEndpoint {
  readonly #parts: ServerParts;
  readonly #maxBodyBytes: number;
  readonly #sessions: HttpSessions;
  /** One for each client: what it hears of depends on what it may see. */
  readonly #handlers = new Map<string, McpHttpHandler>();

  constructor(parts: ServerParts, options: EndpointOptions) {
    this.#parts = parts;
    this.#maxBodyBytes = options.maxBodyBytes;
    this.#sessions = new HttpSessions(options.clock, options, parts.onProblem);
  }

  async answer(request: Request, client: EndpointClient): Promise<Response> {
    const authInfo: AuthInfo = { token: '', clientId: client.name, scopes: [] };
    const inSession = this.#sessions.find(request, client.key);
    if (inSession !== undefined) return inSession(authInfo);
    const isPost = request.method === 'POST';
    if (request.headers.has(SESSION_HEADER) && (!isPost || this.#sessions.hasEnded(request))) {
      return refuseSession();
    }
    const body = isPost ? await readHello(request) : undefined;
    if (body !== undefined) {
      const begun = await this.#sessions.begin({
        request,
        body,
        owner: client.key,
        authInfo,
        createServer: () => createServer(this.#parts, client.access, 'lasting-2025'),
      });
      if (begun !== undefined) return begun;
    }
    return this.#handlerOf(client).fetch(request, { authInfo });
  }

  async close(): Promise<void> {
    await this.#sessions.close();
    for (const handler of this.#handlers.values()) await handler.close();
    this.#parts.changes.close();
  }

  #handlerOf({ key, access }: EndpointClient): McpHttpHandler {
    const known = this.#handlers.get(key);
    if (known !== undefined) return known;
    const handler = createMcpHandler(
      ({ era }) => createServer(this.#parts, access, era === 'modern' ? 'lasting-2026' : 'one-request'),
      {
        maxRequestBodySize: this.#maxBodyBytes,
        onerror: ({ message }) => this.#parts.onProblem(message),
        bus: new ResourceBus(this.#parts.changes, access),
      },
    );
    this.#handlers.set(key, handler);
    return handler;
  }
}

/** The parsed message if it begins a session in the protocol's earlier form; the request itself can still be read. */
async function readHello(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > MAX_HELLO_BYTES) return undefined;
  const read = await readRequestBody(request.clone(), MAX_HELLO_BYTES);
  if (read.tooLarge) return undefined;
  const body = parseJson(read.text);
  return isInitializeRequest(body) && (await isLegacyRequest(request, body)) ? body : undefined;
}

function refuseSession(): Response {
  const error = { code: SESSION_NOT_FOUND, message: 'There is no such session; begin a new one.' };
  return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 });
}
