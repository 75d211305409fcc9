import http from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';

export interface Load {
  readonly perSecond: number;
  readonly seconds: number;
  readonly send: (number: number) => Promise<void>;
}

export interface LoadReport {
  /** From when a request should have begun, so that a server that falls behind cannot hide it. */
  readonly latenciesMs: readonly number[];
  readonly failures: readonly string[];
  readonly tookSeconds: number;
}

/** Begins requests at a constant rate, whether or not earlier ones were answered. */
export async function applyLoad({ perSecond, seconds, send }: Load): Promise<LoadReport> {
  const latenciesMs: number[] = [];
  const failures: string[] = [];
  const underWay = new Set<Promise<void>>();
  const startedMs = performance.now();
  for (let number = 0; number < perSecond * seconds; number += 1) {
    const dueMs = startedMs + (number * 1000) / perSecond;
    const earlyMs = dueMs - performance.now();
    if (earlyMs > 1) await wait(earlyMs);
    const request = send(number)
      .then(() => void latenciesMs.push(performance.now() - dueMs))
      .catch((error: unknown) => void failures.push(error instanceof Error ? error.message : String(error)))
      .finally(() => underWay.delete(request));
    underWay.add(request);
  }
  await Promise.all(underWay);
  return { latenciesMs, failures, tookSeconds: (performance.now() - startedMs) / 1000 };
}

/** Posts JSON over connections that stay open; cheaper than `fetch`, so that the server is what is measured. */
export function createPoster(url: string, token: string): (path: string, body: unknown) => Promise<string> {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  return (path, body) =>
    new Promise((resolve, reject) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const request = http.request(`${url}${path}`, { agent, method: 'POST', headers }, (response) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => {
          text += chunk;
        });
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(text)
            : reject(new Error(`${response.statusCode} ${text.slice(0, 200)}`)),
        );
      });
      request.on('error', reject);
      request.end(JSON.stringify(body));
    });
}
