import type http from 'node:http';
import { MnemeError, systemCode } from '../model/errors.ts';

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
