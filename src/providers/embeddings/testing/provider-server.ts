import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { systemHttp, type HttpDeps } from '../http.ts';

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

export type Answer = (request: ReceivedRequest, response: ServerResponse) => void;

export interface ProviderServer {
  readonly url: string;
  readonly requests: ReceivedRequest[];
  close(): Promise<void>;
}

/** A real HTTP server on this machine that answers as a service would; keeps what it was asked. */
export async function startProviderServer(answer: Answer): Promise<ProviderServer> {
  const requests: ReceivedRequest[] = [];
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      const { method = '', url: path = '', headers } = incoming;
      const request = { method, path, headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) };
      requests.push(request);
      answer(request, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => {
          resolve();
        });
      }),
  };
}

export function sendJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** The real network with pauses that take no time and are written down. */
export function httpWithRecordedPauses(now = 0): { deps: HttpDeps; pausesMs: number[] } {
  const pausesMs: number[] = [];
  const deps: HttpDeps = {
    fetch: systemHttp.fetch,
    sleep: async (milliseconds) => {
      pausesMs.push(milliseconds);
    },
    clock: { now: () => now },
    random: { bytes: (length) => new Uint8Array(length), number: () => 0 },
  };
  return { deps, pausesMs };
}

/** A vector that tells texts apart: the counts of a few letters. */
export function letterVector(text: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, index) => {
    const letter = String.fromCharCode(97 + (index % 26));
    return [...text.toLowerCase()].filter((character) => character === letter).length + 0.01;
  });
}
