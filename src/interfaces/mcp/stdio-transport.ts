import type { Readable, Writable } from 'node:stream';
import {
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
} from '@modelcontextprotocol/server';
import { errorMessage } from '../../model/errors.ts';
import { MessageLines, type Line } from './message-lines.ts';

export interface StdioStreams {
  readonly input: Readable;
  readonly output: Writable;
  readonly maxMessageBytes: number;
}

const PARSE_ERROR = -32_700;
const INVALID_REQUEST = -32_600;
/** Whoever closed the input may still read; a call that takes longer than this is not waited for. */
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
  /** Hears of a client that wants to be told of changes. */
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
