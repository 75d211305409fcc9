import { jsonSchema, tool, type LanguageModelMiddleware, type ToolSet } from 'ai';
import { agentTools, type AgentToolsOptions, type Mneme } from '../../index.ts';
import { MemoryOfConversation, type ConversationOptions } from './memory-of-conversation.ts';

export type { ConversationOptions } from './memory-of-conversation.ts';

type Prompt = Parameters<NonNullable<LanguageModelMiddleware['transformParams']>>[0]['params']['prompt'];
type StreamPart =
  Awaited<ReturnType<NonNullable<LanguageModelMiddleware['wrapStream']>>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

/** The memory's tools, for `tools` of `generateText`, `streamText` and agents of the Vercel AI SDK. */
export async function memoryTools(memory: Mneme, options: AgentToolsOptions = {}): Promise<ToolSet> {
  const tools = await agentTools(memory, options);
  return Object.fromEntries(
    tools.map(({ name, title, description, inputSchema, call }) => [
      name,
      tool({ title, description, inputSchema: jsonSchema<Record<string, unknown>>(inputSchema), execute: call }),
    ]),
  );
}

/**
 * Middleware of the Vercel AI SDK for one conversation: the model is told what is remembered about each message, and what
 * is said is taken in by the session.
 */
export function memoryMiddleware(memory: Mneme, options: ConversationOptions = {}): LanguageModelMiddleware {
  const conversation = new MemoryOfConversation(memory, options);
  return {
    specificationVersion: 'v4',
    transformParams: async ({ params }) => ({ ...params, prompt: await tell(conversation, params.prompt) }),
    async wrapGenerate({ doGenerate }) {
      const result = await doGenerate();
      await conversation.answered(result.content.map((part) => (part.type === 'text' ? part.text : '')).join(''));
      return result;
    },
    async wrapStream({ doStream }) {
      const { stream, ...rest } = await doStream();
      return { ...rest, stream: stream.pipeThrough(listen(conversation)) };
    },
  };
}

async function tell(conversation: MemoryOfConversation, prompt: Prompt): Promise<Prompt> {
  const at = prompt.findLastIndex(({ role }) => role === 'user');
  const last = prompt[at];
  if (last?.role !== 'user') return prompt;
  const text = last.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
  const turn = prompt.filter(({ role }) => role === 'user').length;
  const { start, aboutMessage } = await conversation.heard(text, `${turn} ${text}`);
  const told: Prompt =
    aboutMessage === ''
      ? prompt
      : prompt.with(at, { ...last, content: [{ type: 'text', text: aboutMessage }, ...last.content] });
  if (start === '') return told;
  const afterSystem = told.findIndex(({ role }) => role !== 'system');
  return told.toSpliced(afterSystem, 0, { role: 'system', content: start });
}

/** Hands every part on at once, and takes in the text when the answer is complete. */
function listen(conversation: MemoryOfConversation): TransformStream<StreamPart, StreamPart> {
  let text = '';
  return new TransformStream({
    transform(part, controller) {
      if (part.type === 'text-delta') text += part.delta;
      controller.enqueue(part);
    },
    flush: () => conversation.answered(text),
  });
}
