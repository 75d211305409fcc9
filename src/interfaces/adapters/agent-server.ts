import { errorMessage } from '../../model/errors.ts';
import type { Mneme } from '../../mneme.ts';
import { resolveAccess, modeOf } from '../mcp/access.ts';
import type { AgentToolsOptions } from './agent-tools.ts';

export interface AgentServerOptions extends Omit<AgentToolsOptions, 'names'> {
  /** Called with the details of failures, of which the model gets only a general message; the default is a process warning. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** An MCP server of the official SDK, to be connected in this process. */
export interface AgentServer {
  connect(transport: never): Promise<void>;
  close(): Promise<void>;
}

/** The MCP server for an agent in this process: the tools, resources and prompts of `mneme mcp` without another program. */
export async function agentServer(memory: Mneme, options: AgentServerOptions = {}): Promise<AgentServer> {
  const { createServer } = await import('../mcp/server.ts');
  const { OpenHome } = await import('../mcp/open-home.ts');
  const { CallQueue } = await import('../mcp/call-queue.ts');
  const { ResourceChanges } = await import('../mcp/resource-changes.ts');
  const { readVersion } = await import('../cli/version.ts');
  const { internals } = memory;
  const { actor } = internals;
  const onProblem =
    options.onProblem ?? ((message: string): void => process.emitWarning(`mneme: ${errorMessage(message)}`));
  const home = new OpenHome(internals.home, () => Promise.resolve(memory));
  const changes = new ResourceChanges(home, onProblem);
  const access = {
    ...resolveAccess({ mode: options.mode, actor, usualMode: modeOf(actor) }),
    scope: options.scope ?? internals.confinedTo,
  };
  const parts = { home, calls: new CallQueue(), changes, version: readVersion(), onProblem };
  return createServer(parts, access, 'lasting-2025');
}
