import { Console } from 'node:console';
import type { McpServer } from '@modelcontextprotocol/server';
import { serveStdio as serveConnection } from '@modelcontextprotocol/server/stdio';
import { errorMessage } from '../../model/errors.ts';
import type { Access } from './access.ts';
import { createServer, type ServerParts } from './server.ts';
import { StdioTransport } from './stdio-transport.ts';

export interface Serving {
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
