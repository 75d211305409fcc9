import { agentServer, type AgentServerOptions, type Mneme } from '../../index.ts';
import { MemoryOfConversation, type ConversationOptions } from './memory-of-conversation.ts';

export interface AgentSdkOptions extends ConversationOptions, Pick<AgentServerOptions, 'mode'> {}

/** The input of a Claude Agent SDK hook, as far as this adapter reads it. */
interface HookInput {
  readonly hook_event_name: string;
  readonly prompt_id?: string;
  readonly agent_id?: string;
}

interface HookOutput {
  hookSpecificOutput?: { hookEventName: 'UserPromptSubmit'; additionalContext: string };
}

interface HookMatcher {
  hooks: ((input: HookInput) => Promise<HookOutput>)[];
}

/** Options of `query()` of the Claude Agent SDK: spread them into yours. */
export interface AgentSdkMemory {
  hooks: { UserPromptSubmit: HookMatcher[]; Stop: HookMatcher[] };
  /** `instance` is an MCP server; the SDK types it by a class of the version it was built with. */
  mcpServers: { mneme: { type: 'sdk'; name: 'mneme'; instance: never } };
  allowedTools: string[];
}

/**
 * The memory for one conversation of the Claude Agent SDK: hooks that tell the model what is remembered and take in what is said,
 * and a server with the tools, in this process.
 */
export async function memoryOptions(memory: Mneme, options: AgentSdkOptions = {}): Promise<AgentSdkMemory> {
  const { scope, mode, onProblem } = options;
  const conversation = new MemoryOfConversation(memory, options);
  const server = await agentServer(memory, { mode, onProblem, scope: scope as AgentServerOptions['scope'] });
  let isTold = false;
  let turn = 0;
  const tell = async (input: HookInput): Promise<HookOutput> => {
    const prompt = wordsIn(input, 'prompt');
    turn += 1;
    const { start, aboutMessage } = await conversation.heard(prompt, input.prompt_id ?? `${turn} ${prompt}`);
    // The history keeps what a hook added.
    const told = [isTold ? '' : start, aboutMessage].filter((part) => part !== '').join('\n\n');
    isTold = true;
    return told === '' ? {} : { hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: told } };
  };
  const takeIn = async (input: HookInput): Promise<HookOutput> => {
    // Messages of an agent's own agents are no answer to the user.
    if (input.agent_id === undefined) await conversation.answered(wordsIn(input, 'last_assistant_message'));
    return {};
  };
  return {
    hooks: { UserPromptSubmit: [{ hooks: [tell] }], Stop: [{ hooks: [takeIn] }] },
    mcpServers: { mneme: { type: 'sdk', name: 'mneme', instance: server as never } },
    allowedTools: ['mcp__mneme__*'],
  };
}

function wordsIn(input: HookInput, key: 'prompt' | 'last_assistant_message'): string {
  const words = (input as Partial<Record<typeof key, unknown>>)[key];
  return typeof words === 'string' ? words : '';
}
