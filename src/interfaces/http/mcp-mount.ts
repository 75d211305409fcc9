import { createMcpHandler, type McpHttpHandler } from '@modelcontextprotocol/server';
import { modeOf, type Access, type McpMode } from '../mcp/access.ts';
import type { CallQueue } from '../mcp/call-queue.ts';
import type { OpenHome } from '../mcp/open-home.ts';
import { ResourceChanges } from '../mcp/resource-changes.ts';
import { createServer } from '../mcp/server.ts';
import { ResourceBus } from '../mcp/subscriptions.ts';
import type { ApiClient } from './access/client.ts';

export interface McpMountParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly version: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly onProblem: (message: string) => void;
}

/** MCP beside the API, for the same tokens. */
export class McpMount {
  readonly #parts: McpMountParts;
  readonly #changes: ResourceChanges;
  /** One for each token: what its holder hears of depends on what it may see. */
  readonly #handlers = new Map<string, McpHttpHandler>();

  constructor(parts: McpMountParts) {
    this.#parts = parts;
    this.#changes = new ResourceChanges(parts.home, parts.onProblem);
  }

  answer(request: Request, client: ApiClient): Promise<Response> {
    const key = `${client.actor} ${client.role} ${client.scope ?? ''}`;
    let handler = this.#handlers.get(key);
    if (handler === undefined) {
      handler = this.#create(client);
      this.#handlers.set(key, handler);
    }
    return handler.fetch(request, { authInfo: { token: '', clientId: client.name, scopes: [] } });
  }

  async close(): Promise<void> {
    for (const handler of this.#handlers.values()) await handler.close();
    this.#changes.close();
  }

  #create(client: ApiClient): McpHttpHandler {
    const { home, calls, version, timeoutMs, maxBodyBytes, onProblem } = this.#parts;
    const access: Access = { actor: client.actor, mode: modeFor(client), scope: client.scope };
    const parts = { home, calls, changes: this.#changes, version, timeoutMs, onProblem };
    return createMcpHandler(
      ({ era }) => createServer(parts, access, era === 'modern' ? 'lasting-2026' : 'one-request'),
      {
        maxRequestBodySize: maxBodyBytes,
        onerror: ({ message }) => onProblem(message),
        bus: new ResourceBus(this.#changes, access),
      },
    );
  }
}

function modeFor({ role, actor }: ApiClient): McpMode {
  return role === 'viewer' ? 'read-only' : modeOf(actor);
}
