import { McpServer, type CallToolResult } from '@modelcontextprotocol/server';
import { errorMessage } from '../../model/errors.ts';
import type { Access } from './access.ts';
import type { CallQueue } from './call-queue.ts';
import { concealPlaces } from './conceal.ts';
import type { OpenHome } from './open-home.ts';
import { instructionsFor } from './instructions.ts';
import { registerResources } from './resources.ts';
import { listedSchema } from './schema.ts';
import type { Tool, ToolCall } from './tool.ts';
import { withinTime } from './time-limit.ts';
import { toErrorResult, toMcpError } from './tool-error.ts';
import { toolsFor } from './tools/tools.ts';

export interface ServerParts {
  readonly home: OpenHome;
  readonly calls: CallQueue;
  readonly version: string;
  /** Longest time for one call; none where only the process that started this one can ask. */
  readonly timeoutMs?: number | undefined;
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
    const conceal = (text: string): string => concealPlaces(text, parts.home.places);
    return { access, context: { ...internals, actor: access.actor }, conceal };
  };
  for (const tool of toolsFor(access.mode)) registerTool(server, tool, { parts, access, openCall });
  registerResources(server, {
    openCall,
    limit: (body) => withinTime(parts.timeoutMs, new AbortController().signal, body),
    toClientError: (error) => toMcpError(error, parts.home.places),
  });
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
      return await withinTime(parts.timeoutMs, signal, (limited) =>
        parts.calls.run(limited, async () => tool.run(await openCall(), given)),
      );
    } catch (error) {
      // Nobody waits for the answer of a cancelled call.
      if (signal.aborted) throw error;
      const problem = toMcpError(error, parts.home.places);
      if (problem.code === 'failure') parts.onProblem(`${tool.name}: ${errorMessage(error)}`);
      return toErrorResult(problem);
    }
  });
}
