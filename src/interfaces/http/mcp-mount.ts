import { modeOf, type Access } from '../mcp/access.ts';
import type { CallQueue } from '../mcp/call-queue.ts';
import { HttpEndpoint } from '../mcp/http-endpoint.ts';
import type { OpenHome } from '../mcp/open-home.ts';
import { ResourceChanges } from '../mcp/resource-changes.ts';
import { asAgent } from '../../model/mutation.ts';
import type { Clock } from '../../platform/clock.ts';
import type { ApiClient } from './access/token-file.ts';

export interface McpMountParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly version: string;
  readonly timeoutMs: number;
  readonly maxBodyBytes: number;
  readonly clock: Clock;
  readonly onProblem: (message: string) => void;
}

/** MCP beside the API, for the same tokens; a person's token opens it as an agent of that name. */
export class McpMount {
  readonly #endpoint: HttpEndpoint;

  constructor(parts: McpMountParts) {
    const changes = new ResourceChanges(parts.home, parts.onProblem);
    this.#endpoint = new HttpEndpoint({ ...parts, changes }, parts);
  }

  answer(request: Request, client: ApiClient): Promise<Response> {
    const { name, role, scope } = client;
    const actor = asAgent(client.actor);
    const access: Access = { actor, mode: role === 'viewer' ? 'read-only' : modeOf(actor), scope };
    return this.#endpoint.answer(request, { key: `${name} ${actor} ${role} ${scope ?? ''}`, name, access });
  }

  close(): Promise<void> {
    return this.#endpoint.close();
  }
}
