import { modeOf, type Access, type McpMode } from '../mcp/access.ts';
import type { CallQueue } from '../mcp/call-queue.ts';
import { HttpEndpoint } from '../mcp/http-endpoint.ts';
import type { OpenHome } from '../mcp/open-home.ts';
import { ResourceChanges } from '../mcp/resource-changes.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ApiClient } from './access/client.ts';

export interface McpMountParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly version: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** MCP beside the API, for the same tokens. */
export class McpMount {
  readonly #endpoint: HttpEndpoint;

  constructor(parts: McpMountParts) {
    const changes = new ResourceChanges(parts.home, parts.onProblem);
    this.#endpoint = new HttpEndpoint({ ...parts, changes }, parts);
  }

  answer(request: Request, client: ApiClient): Promise<Response> {
    const { name, actor, role, scope } = client;
    const access: Access = { actor, mode: modeFor(client), scope };
    return this.#endpoint.answer(request, { key: `${name} ${actor} ${role} ${scope ?? ''}`, name, access });
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }
}

function modeFor({ role, actor }: ApiClient): McpMode {
  return role === 'viewer' ? 'read-only' : modeOf(actor);
}
