import { isMnemeError, MnemeError } from '../../model/errors.ts';
import type { Mneme } from '../../mneme.ts';
import { modeOf, resolveAccess, type McpMode } from '../mcp/access.ts';
import type { ToolCall } from '../mcp/tool.ts';
import { isRecord } from '../../model/records.ts';

export interface AgentToolsOptions {
  /** Which tools, in this order; all that the mode allows when not given. */
  readonly names?: readonly string[] | undefined;
  /** `proposer` turns every write into a proposal; `read-only` offers no tool that writes. What the actor may do when not given. */
  readonly mode?: McpMode | undefined;
  /** The private scope the agent works in: it sees what is shared and what belongs to this scope, and writes there. */
  readonly scope?: Mneme['internals']['confinedTo'];
}

/** A tool for any agent framework: a name, words for the model, a JSON schema, and what happens. */
export interface AgentTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** The answer begins with a `message` for the model; a call that cannot be done is such an answer too, with its `error`. */
  readonly call: (args: unknown) => Promise<Readonly<Record<string, unknown>>>;
}

/** The tools that MCP clients get, for an agent in this process: same words, same checks, no server. */
export async function agentTools(memory: Mneme, options: AgentToolsOptions = {}): Promise<readonly AgentTool[]> {
  // Loaded when an agent wants tools: most programs that use the library only call it.
  const { toolsFor } = await import('../mcp/tools/tools.ts');
  const { toMcpError } = await import('../mcp/tool-error.ts');
  const { concealPlaces } = await import('../mcp/open-home.ts');
  const { inToolWords } = await import('../mcp/tool-error.ts');
  const { internals } = memory;
  const scope = options.scope ?? internals.confinedTo;
  const { actor } = internals;
  const access = { ...resolveAccess({ mode: options.mode, actor, usualMode: modeOf(actor) }), scope };
  const places = { home: internals.home, workspace: internals.workspace.root, userHome: undefined };
  const call: ToolCall = {
    access,
    context: { ...internals, actor: access.actor, confinedTo: scope },
    conceal: (text) => concealPlaces(inToolWords(text), places),
  };
  const tools = toolsFor(access.mode).map((tool): AgentTool => {
    const { name, title, inputSchema } = tool;
    return {
      name,
      title,
      inputSchema,
      description: tool.describe(access.mode),
      async call(args) {
        try {
          const { structuredContent } = await tool.run(call, isRecord(args) ? args : {});
          return structuredContent as Readonly<Record<string, unknown>>;
        } catch (error) {
          if (!isMnemeError(error)) throw error;
          const { code, message, hint } = toMcpError(error, places);
          return { message: hint === undefined ? message : `${message} ${hint}`, error: code };
        }
      },
    };
  });
  return options.names === undefined ? tools : options.names.map((name) => named(tools, name));
}

function named(tools: readonly AgentTool[], wanted: string): AgentTool {
  const tool = tools.find(({ name }) => name === wanted);
  if (tool !== undefined) return tool;
  throw new MnemeError('usage', `There is no tool ${wanted} here.`, {
    hint: `Use ${tools.map(({ name }) => name).join(', ')}.`,
  });
}
