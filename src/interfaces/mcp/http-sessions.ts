import {
  type AuthInfo,
  type EventStore,
  type JSONRPCMessage,
  type McpServer,
  SUPPORTED_PROTOCOL_VERSIONS,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Clock } from '../../platform/clock.ts';
import { systemRandom } from '../../platform/random.ts';

/** Enough for what a client misses while its connection is gone; a long answer it has to ask for again. */
const MAX_EVENTS = 200;
const MAX_CHARS = 256 * 1024;

interface KeptEvent {
  readonly number: number;
  readonly streamId: string;
  readonly message: JSONRPCMessage | undefined;
  readonly chars: number;
}

/**
 * The messages sent in one session, so that a client whose connection broke receives the rest. In memory and bounded: the oldest
 * goes first. An event's id says its stream, so that one that is gone is told from one that never was.
 */
export class ResumableEvents implements EventStore {
  #kept: KeptEvent[] = [];
  #chars = 0;
  #count = 0;

  get chars(): number {
    return this.#chars;
  }

  storeEvent(streamId: string, message: JSONRPCMessage): Promise<string> {
    const text = JSON.stringify(message);
    this.#count += 1;
    // The transport marks a stream's beginning with an empty message that nobody needs to hear again.
    const isMark = text === '{}';
    this.#kept.push({
      number: this.#count,
      streamId,
      message: isMark ? undefined : message,
      chars: text.length,
    });
    this.#chars += text.length;
    while (this.#kept.length > MAX_EVENTS || this.#chars > MAX_CHARS) this.#chars -= this.#kept.shift()?.chars ?? 0;
    return Promise.resolve(`${streamId}.${this.#count}`);
  }

  getStreamIdForEventId(eventId: string): Promise<string | undefined> {
    return Promise.resolve(parseEventId(eventId)?.streamId);
  }

  async replayEventsAfter(
    lastEventId: string,
    { send }: { readonly send: (eventId: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const last = parseEventId(lastEventId);
    if (last === undefined) throw new Error('The event to go on after is none of this session.');
    const missed = this.#kept.filter(({ streamId, number }) => streamId === last.streamId && number > last.number);
    for (const { streamId, number, message } of missed) {
      if (message !== undefined) await send(`${streamId}.${number}`, message);
    }
    return last.streamId;
  }
}

function parseEventId(eventId: string): { readonly streamId: string; readonly number: number } | undefined {
  const match = /^([\w-]+)\.(\d{1,15})$/u.exec(eventId);
  if (match === null) return undefined;
  return { streamId: match[1] ?? '', number: Number(match[2]) };
}

/** A line that says nothing; Node sends the head of an answer only with the first of its body. */
const OPENING = new TextEncoder().encode(': open\n\n');

/**
 * The same answer; `onEnd` is called once, when all of it was sent or its client has gone. A stream that waits for events
 * begins at once, or its client would take it for a server that does not answer.
 */
function whenEnded(response: Response, isWaiting: boolean, onEnd: () => void): Response {
  if (response.body === null) {
    onEnd();
    return response;
  }
  const reader = response.body.getReader();
  let hasEnded = false;
  const end = (): void => {
    if (!hasEnded) onEnd();
    hasEnded = true;
  };
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      if (isWaiting) controller.enqueue(OPENING);
    },
    pull: async (controller) => {
      try {
        const { done, value } = await reader.read();
        if (!done) {
          controller.enqueue(value);
          return;
        }
        end();
        controller.close();
      } catch (error) {
        end();
        controller.error(error);
      }
    },
    cancel: (reason) => {
      end();
      return reader.cancel(reason);
    },
  });
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

export const SESSION_HEADER = 'mcp-session-id';
const VERSION_HEADER = 'mcp-protocol-version';

/** One costs about 60 KB, and up to 256 KB more of what could be asked for again. */
const MAX_SESSIONS = 256;
/** A client that pauses over lunch still finds its session. */
const IDLE_MS = 60 * 60_000;
const SWEEP_MS = 60_000;
/** Session ids that their clients ended, so that they are told so. */
const MAX_ENDED = 1000;
/** The time a client should wait before it reopens a stream that was closed. */
const RETRY_MS = 500;
const ID_BYTES = 24;

interface Session {
  readonly id: string;
  /** The token that began it: requests with other tokens cannot reach it. */
  readonly owner: string;
  readonly server: McpServer;
  readonly transport: WebStandardStreamableHTTPServerTransport;
  /** Answers and streams under way. */
  open: number;
  usedMs: number;
}

export interface HelloRequest {
  readonly request: Request;
  readonly body: unknown;
  readonly owner: string;
  readonly authInfo: AuthInfo;
  readonly createServer: () => McpServer;
}

export interface SessionLimits {
  readonly maxSessions?: number | undefined;
  readonly maxBodyBytes: number;
}

/**
 * Sessions of clients that speak the protocol's forms of 2025 over HTTP: the server reaches such a client between two of
 * its requests. There are at most so many; who has been silent longest makes room, and who finds none is served one
 * request at a time.
 */
export class HttpSessions {
  readonly #sessions = new Map<string, Session>();
  readonly #ended = new Set<string>();
  readonly #clock: Clock;
  readonly #limits: SessionLimits;
  readonly #onProblem: (message: string) => void;
  readonly #sweeping: NodeJS.Timeout;

  constructor(clock: Clock, limits: SessionLimits, onProblem: (message: string) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#onProblem = onProblem;
    this.#sweeping = setInterval(() => this.sweep(), SWEEP_MS);
    this.#sweeping.unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Undefined when the request names no session that is there; then it is nobody's to answer here. */
  find(request: Request, owner: string): ((authInfo: AuthInfo) => Promise<Response>) | undefined {
    const session = this.#sessions.get(request.headers.get(SESSION_HEADER) ?? '');
    if (session === undefined || session.owner !== owner) return undefined;
    return (authInfo) => this.#answer(session, inItsVersion(session, request), { authInfo });
  }

  /** Whether its own client ended the session that a request names. */
  hasEnded(request: Request): boolean {
    return this.#ended.has(request.headers.get(SESSION_HEADER) ?? '');
  }

  /** Begins a session; undefined when there is no room for one. */
  async begin({ request, body, owner, authInfo, createServer }: HelloRequest): Promise<Response | undefined> {
    if (!this.#makeRoom()) return undefined;
    const id = Buffer.from(systemRandom.bytes(ID_BYTES)).toString('base64url');
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => id,
      eventStore: new ResumableEvents(),
      retryInterval: RETRY_MS,
      maxRequestBodySize: this.#limits.maxBodyBytes,
      onsessionclosed: () => this.#noteEnded(id),
    });
    const server = createServer();
    const session: Session = { id, owner, server, transport, open: 0, usedMs: this.#clock.now() };
    this.#sessions.set(id, session);
    server.server.onerror = ({ message }) => this.#onProblem(message);
    await server.connect(transport);
    const { onclose } = transport;
    transport.onclose = () => {
      this.#sessions.delete(id);
      onclose?.();
    };
    return this.#answer(session, request, { authInfo, parsedBody: body });
  }

  /** Ends sessions that nobody has used for long. An open stream is use. */
  sweep(): void {
    const longAgo = this.#clock.now() - IDLE_MS;
    for (const session of this.#sessions.values()) {
      if (session.open === 0 && session.usedMs < longAgo) this.#end(session);
    }
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeping);
    await Promise.all([...this.#sessions.values()].map(({ server }) => server.close()));
    this.#sessions.clear();
  }

  async #answer(
    session: Session,
    request: Request,
    given: { readonly authInfo: AuthInfo; readonly parsedBody?: unknown },
  ): Promise<Response> {
    session.open += 1;
    session.usedMs = this.#clock.now();
    const done = (): void => {
      session.open -= 1;
      session.usedMs = this.#clock.now();
    };
    try {
      const response = await session.transport.handleRequest(request, given);
      return whenEnded(response, request.method === 'GET' && response.ok, done);
    } catch (error) {
      done();
      throw error;
    }
  }

  #makeRoom(): boolean {
    this.sweep();
    if (this.#sessions.size < (this.#limits.maxSessions ?? MAX_SESSIONS)) return true;
    const [longestIdle] = [...this.#sessions.values()]
      .filter(({ open }) => open === 0)
      .toSorted((a, b) => a.usedMs - b.usedMs);
    if (longestIdle === undefined) return false;
    this.#end(longestIdle);
    return true;
  }

  #end(session: Session): void {
    this.#sessions.delete(session.id);
    session.server.close().catch((error: Error) => this.#onProblem(error.message));
  }

  #noteEnded(id: string): void {
    this.#sessions.delete(id);
    this.#ended.add(id);
    const [oldest] = this.#ended;
    if (this.#ended.size > MAX_ENDED && oldest !== undefined) this.#ended.delete(oldest);
  }
}

/** Applies the version agreed at the session's start; some clients name an earlier one in single requests. */
function inItsVersion({ server }: Session, request: Request): Request {
  const agreed = server.server.getNegotiatedProtocolVersion();
  const named = request.headers.get(VERSION_HEADER);
  if (agreed === undefined || named === null || named >= agreed || !SUPPORTED_PROTOCOL_VERSIONS.includes(named)) {
    return request;
  }
  const headers = new Headers(request.headers);
  headers.set(VERSION_HEADER, agreed);
  return new Request(request, { headers });
}
