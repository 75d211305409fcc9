import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import type { Access } from './access.ts';
import type { CallQueue } from './call-queue.ts';
import type { OpenHome } from './open-home.ts';
import { instructionsFor } from './instructions.ts';
import { registerResources } from './resources.ts';
import { listedSchema } from './schema.ts';
import type { Tool, ToolCall } from './tool.ts';
import { toErrorResult, toMcpError } from './tool-error.ts';
import { toolsFor } from './tools/tools.ts';

export interface ServerParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly version: string;
  /** Hears of what clients are told only in general words. */
  readonly onProblem: (message: string) => void;
}

/** One client's view of the memory. Cheap to make: over HTTP there is one for every request. */
export function createServer(parts: ServerParts, access: Access): McpServer {
  const server = new McpServer(
    { name: 'mneme', title: 'Mneme', version: parts.version },
    {
      instructions: instructionsFor(access.mode),
      // Neither list changes while a client is connected.
      capabilities: { tools: { listChanged: false }, resources: { listChanged: false } },
    },
  );
  const openCall = async (): Promise<ToolCall> => {
    const { internals } = await parts.home.get();
    return { access, context: { ...internals, actor: access.actor } };
  };
  for (const tool of toolsFor(access.mode)) registerTool(server, tool, { parts, access, openCall });
  registerResources(server, openCall);
  return server;
}

function registerTool(
  server: McpServer,
  tool: Tool,
  { parts, access, openCall }: { parts: ServerParts; access: Access; openCall: () => Promise<ToolCall> },
): void {
  const isReading = tool.effect === 'read';
  const config = {
    title: tool.title,
    description: tool.describe(access.mode),
    inputSchema: listedSchema(tool.inputSchema),
    outputSchema: listedSchema(tool.outputSchema),
    annotations: {
      readOnlyHint: isReading,
      ...(isReading ? {} : { destructiveHint: false }),
      idempotentHint: isReading,
      openWorldHint: false,
    },
  };
  server.registerTool(tool.name, config, async (given, { mcpReq: { signal } }): Promise<CallToolResult> => {
    try {
      return await parts.calls.run(signal, async () => tool.run(await openCall(), given));
    } catch (error) {
      // Nobody waits for the answer of a cancelled call.
      if (signal.aborted) throw error;
      const problem = toMcpError(error, parts.home.path);
      if (problem.code === 'failure') parts.onProblem(`${tool.name}: ${problem.message}`);
      return toErrorResult(problem);
    }
  });
}
