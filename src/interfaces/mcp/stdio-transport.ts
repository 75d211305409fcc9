import { Console } from 'node:console';
import type { Readable, Writable } from 'node:stream';
import {
  type JSONRPCMessage,
  type McpServer,
  type RequestId,
  type Transport,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
} from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { errorMessage } from '../../model/errors.ts';
import type { Access } from './access.ts';
import { createServer, type ServerParts } from './server.ts';

/** A line, or what can be told of one that was too long to keep. */
export type Line =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'too-long'; readonly bytes: number; readonly id: string | number | undefined };

/** Enough to find a request's id at either end of a message. */
const EDGE_BYTES = 512;
const NEWLINE = 0x0a;

/** Cuts a stream of bytes into lines. One that is too long is passed over, not kept, and the stream goes on behind it. */
export class MessageLines {
  readonly #maxBytes: number;
  #chunks: Buffer[] = [];
  #bytes = 0;
  /** Both ends of a line that is too long. */
  #edges: { readonly head: string; tail: Buffer } | undefined;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  *take(chunk: Buffer): Generator<Line> {
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#add(chunk.subarray(start, end));
      yield this.#finish();
      start = end + 1;
    }
    if (start < chunk.length) this.#add(chunk.subarray(start));
  }

  /** The bytes after the last line break. */
  rest(): Line | undefined {
    return this.#bytes === 0 ? undefined : this.#finish();
  }

  #add(bytes: Buffer): void {
    this.#bytes += bytes.length;
    if (this.#edges !== undefined) {
      this.#edges.tail = Buffer.concat([this.#edges.tail, bytes.subarray(-EDGE_BYTES)]).subarray(-EDGE_BYTES);
      return;
    }
    this.#chunks.push(bytes);
    if (this.#bytes <= this.#maxBytes) return;
    const kept = Buffer.concat(this.#chunks);
    this.#edges = { head: kept.toString('utf8', 0, EDGE_BYTES), tail: Buffer.from(kept.subarray(-EDGE_BYTES)) };
    this.#chunks = [];
  }

  #finish(): Line {
    const edges = this.#edges;
    const bytes = this.#bytes;
    const text = edges === undefined ? Buffer.concat(this.#chunks).toString('utf8').replace(/\r$/u, '') : '';
    this.#chunks = [];
    this.#bytes = 0;
    this.#edges = undefined;
    if (edges === undefined) return { kind: 'line', text };
    return { kind: 'too-long', bytes, id: findId(edges.head, edges.tail.toString('utf8')) };
  }
}

/** Clients write `id` first or last; in between stands what made the message long. */
function findId(head: string, tail: string): string | number | undefined {
  const first = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+|"[^"\\]*")/u.exec(head)?.[1];
  const last = /"id"\s*:\s*(\d+|"[^"\\]*")\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/u.exec(tail)?.[1];
  const found = first ?? last;
  return found === undefined ? undefined : (JSON.parse(found) as string | number);
}

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** A client that closed the input may still read answers; the server waits this long for calls under way. */
const LAST_ANSWERS_MS = 10_000;

/**
 * Messages as lines on standard input and output. Other than the SDK's transport it answers what it cannot use instead
 * of staying silent, survives a message that is too long, and when the input ends answers what was asked before it
 * closes: `printf … | mneme mcp` works.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];
  /** Called when a client subscribes to changes. */
  onListen?: (() => void) | undefined;
  /** Resolves when nothing more will be read or written. */
  readonly closed: Promise<void>;
  readonly #streams: StdioStreams;
  readonly #lines: MessageLines;
  /** Requests that were not answered yet. */
  readonly #open = new Set<RequestId>();
  #markClosed: () => void = () => undefined;
  #isClosed = false;
  #hasEnded = false;
  #lastAnswers: NodeJS.Timeout | undefined;

  constructor(streams: StdioStreams) {
    this.#streams = streams;
    this.#lines = new MessageLines(streams.maxMessageBytes);
    this.closed = new Promise((resolve) => {
      this.#markClosed = resolve;
    });
  }

  start(): Promise<void> {
    const { input, output } = this.#streams;
    input.on('data', this.#onData);
    input.once('end', this.#onEnd);
    input.once('close', this.#onEnd);
    input.on('error', this.#onFailure);
    // A client that died cannot be told anything any more.
    output.on('error', this.#onFailure);
    return Promise.resolve();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    await this.#write(message);
    if (!isJSONRPCResponse(message) || message.id === undefined) return;
    this.#open.delete(message.id);
    if (this.#hasEnded && this.#open.size === 0) await this.close();
  }

  close(): Promise<void> {
    if (this.#isClosed) return Promise.resolve();
    this.#isClosed = true;
    clearTimeout(this.#lastAnswers);
    const { input } = this.#streams;
    input.off('data', this.#onData);
    input.pause();
    this.onclose?.();
    this.#markClosed();
    return Promise.resolve();
  }

  readonly #onData = (chunk: Buffer): void => {
    for (const line of this.#lines.take(chunk)) this.#take(line);
  };

  readonly #onEnd = (): void => {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    const rest = this.#lines.rest();
    if (rest !== undefined) this.#take(rest);
    if (this.#open.size === 0) void this.close();
    else this.#lastAnswers = setTimeout(() => void this.close(), LAST_ANSWERS_MS);
  };

  readonly #onFailure = (error: Error): void => {
    this.onerror?.(error);
    void this.close();
  };

  #take(line: Line): void {
    if (line.kind === 'too-long') {
      const problem = `The message has ${line.bytes} bytes; the limit is ${this.#streams.maxMessageBytes}.`;
      this.#refuse(line.id, INVALID_REQUEST, problem);
      return;
    }
    if (line.text.trim() === '') return;
    const parsed = parse(line.text);
    if ('problem' in parsed) {
      this.#refuse(undefined, PARSE_ERROR, `Parse error: ${parsed.problem}`);
      return;
    }
    const { message } = parsed;
    if (isJSONRPCRequest(message)) this.#noteRequest(message);
    else if (isJSONRPCNotification(message)) this.#forgetCancelled(message);
    else if (!isJSONRPCResponse(message)) {
      this.#refuse(idOf(message), INVALID_REQUEST, 'Invalid Request: not a JSON-RPC 2.0 message.');
      return;
    }
    this.onmessage?.(message);
  }

  /** Listening is answered when it ends, which the end of the input does not wait for. */
  #noteRequest({ id, method }: { readonly id: RequestId; readonly method: string }): void {
    if (method === 'subscriptions/listen') this.onListen?.();
    else this.#open.add(id);
  }

  /** A cancelled request is never answered. */
  #forgetCancelled({
    method,
    params,
  }: {
    readonly method: string;
    readonly params?: Record<string, unknown> | undefined;
  }): void {
    const id = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
    if (typeof id === 'string' || typeof id === 'number') this.#open.delete(id);
  }

  #refuse(id: RequestId | undefined, code: number, message: string): void {
    this.onerror?.(new Error(message));
    const answer = { jsonrpc: '2.0' as const, ...(id === undefined ? {} : { id }), error: { code, message } };
    this.#write(answer).catch((error: unknown) => this.onerror?.(new Error(errorMessage(error))));
  }

  #write(message: JSONRPCMessage): Promise<void> {
    const { output } = this.#streams;
    return new Promise((resolve, reject) => {
      output.write(`${JSON.stringify(message)}\n`, (error) => {
        if (error === null || error === undefined) resolve();
        else reject(error);
      });
    });
  }
}

function parse(text: string): { readonly message: unknown } | { readonly problem: string } {
  try {
    return { message: JSON.parse(text) as unknown };
  } catch (error) {
    if (error instanceof SyntaxError) return { problem: error.message };
    throw error;
  }
}

function idOf(message: unknown): RequestId | undefined {
  if (typeof message !== 'object' || message === null || !('id' in message)) return undefined;
  return typeof message.id === 'string' || Number.isInteger(message.id) ? (message.id as RequestId) : undefined;
}

interface Serving {
  /** Resolves when the other side has gone. */
  readonly ended: Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * A whole transcript in one call fits; what is longer is refused and the connection goes on. Twice what HTTP takes, as
 * nobody but the process that started this one can send anything.
 */
const MAX_MESSAGE_BYTES = 8 * 1024 * 1024;

/** Serves the one client on standard input and output. */
export function serveStdio(parts: ServerParts, access: Access): Serving {
  // Some libraries print for information; one such line on standard output would end the conversation.
  globalThis.console = new Console(process.stderr, process.stderr);
  const transport = new StdioTransport({
    input: process.stdin,
    output: process.stdout,
    maxMessageBytes: MAX_MESSAGE_BYTES,
  });
  let server: McpServer | undefined;
  let stopListening: (() => void) | undefined;
  // The protocol's 2026 form names what it listens to in a request that never reaches the server itself.
  transport.onListen = () => {
    stopListening ??= parts.changes.listenSoon(access, (uri) => {
      // The one that serves by then: a client that only looked around first was shown another.
      server?.server.sendResourceUpdated({ uri }).catch((error: unknown) => parts.onProblem(errorMessage(error)));
    });
  };
  const connection = serveConnection(
    ({ era }) => {
      server = createServer(parts, access, era === 'modern' ? 'lasting-2026' : 'lasting-2025');
      return server;
    },
    { transport, onerror: (error) => parts.onProblem(error.message) },
  );
  return {
    ended: transport.closed,
    close: async () => {
      stopListening?.();
      parts.changes.close();
      await connection.close();
      // An open standard input would keep the process alive.
      process.stdin.destroy();
    },
  };
}
