import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerIn, protocolOf, readRequest, type Reply } from './protocols.ts';

/** A question that a program sent to the model it believes in. */
export interface ModelRequest {
  readonly path: string;
  /** The whole body: what the model would have been told. */
  readonly body: string;
}

/**
 * Plays the model for a program, on this machine only. It answers every prompt with a fixed sentence; a prompt that holds
 * `CALL TOOL` it answers with a call of the tool that ends with the given name, and repeats what the tool returned.
 */
export class Loopback {
  readonly requests: ModelRequest[] = [];
  readonly #server: http.Server;

  private constructor(server: http.Server) {
    this.#server = server;
  }

  static async start(): Promise<Loopback> {
    const server = http.createServer();
    const loopback = new Loopback(server);
    server.on('request', (request, response) => {
      loopback.#answer(request, response).catch((error: unknown) => {
        response.statusCode = 500;
        response.end(String(error));
      });
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return loopback;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Whether the model was sent this text since the given request. */
  wasTold(text: string, since = 0): boolean {
    return this.requests.slice(since).some(({ body }) => body.includes(text));
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }

  async #answer(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks).toString('utf8');
    const path = request.url ?? '/';
    const protocol = protocolOf(path);
    if (request.method !== 'POST' || protocol === undefined) {
      response.setHeader('content-type', 'application/json');
      response.end(path.includes('models') ? '{"object":"list","data":[],"models":[]}' : '{}');
      return;
    }
    this.requests.push({ path, body });
    const asked = readRequest(protocol, body);
    const { type, text } = answerIn(protocol, { path, body, reply: replyTo(asked) });
    response.setHeader('content-type', type);
    response.end(text);
  }
}

function replyTo({ lastWords, tools, toolResult }: ReturnType<typeof readRequest>): Reply {
  if (toolResult !== undefined) return { text: `The tool says: ${toolResult.slice(0, 4000)}` };
  const tool = tools.find((name) => name.endsWith('memory_search'));
  if (lastWords.includes('CALL TOOL') && tool !== undefined) return { tool, args: { query: 'bassoon' } };
  return { text: 'That is noted, thank you.' };
}
