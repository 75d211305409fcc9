import fs from 'node:fs';
import type http from 'node:http';
import path from 'node:path';
import { z } from 'zod';
import { MnemeError, systemCode } from '../model/errors.ts';
import { replaceFile } from '../platform/fs.ts';
import { ProcessLock } from '../platform/process-lock.ts';

/** Largest request: twice the longest message, for what JSON adds. */
export const MAX_BODY_BYTES = 2_097_152;

/** A host as a `Host` header and an address write it. */
export function bracketed(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

export function listen(
  server: http.Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => {
      const isTaken = systemCode(error) === 'EADDRINUSE';
      reject(
        new MnemeError('failure', `Cannot listen on ${host}:${port}: ${error.message}`, {
          hint: isTaken ? 'Something listens there already; --port 0 takes any free port.' : undefined,
          cause: error,
        }),
      );
    });
    server.listen(port, host, () => resolve());
  });
}

const announced = z.object({ url: z.string(), pid: z.int() });

/** Where a home is served, and by which process. */
export type Announced = z.output<typeof announced>;

const FILE = 'http.json';
const LOCK = 'http.lock';

/** Says in `state/http.json` where the home is served, for as long as the returned function is not called. */
export function announceServing(state: string, serving: Announced): () => void {
  // A second server of the same home serves as well; the first stays the one that is found.
  const lock = ProcessLock.tryTake(path.join(state, LOCK));
  if (lock === undefined) return () => undefined;
  const file = path.join(state, FILE);
  replaceFile(file, `${JSON.stringify(serving)}\n`);
  return () => {
    fs.rmSync(file, { force: true });
    lock.release();
  };
}

/** Undefined when nobody serves the home now: what a process that died left behind does not count. */
export function findServing(state: string): Announced | undefined {
  if (!ProcessLock.isHeld(path.join(state, LOCK))) return undefined;
  const file = path.join(state, FILE);
  return fs.existsSync(file) ? announced.parse(JSON.parse(fs.readFileSync(file, 'utf8'))) : undefined;
}
