import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { MnemeError } from '../../model/errors.ts';
import { memoryContext } from './tools/memory-context.ts';
import { memorySearch } from './tools/memory-search.ts';
import type { Access } from './access.ts';
import type { ToolCall } from './tool.ts';

interface PromptParts {
  readonly openCall: () => Promise<ToolCall>;
  readonly limit: <T>(body: () => Promise<T>) => Promise<T>;
  readonly toClientError: (thrown: unknown) => MnemeError;
}

const LOOKING_BACK =
  'Look back over this conversation. Name decisions, corrections, preferences, facts about people and projects, and promises that will matter again; leave out what is only of the moment. Search for each with memory_search first. What is new, keep with memory_write, one self-contained statement each, with names and dates; what has changed, correct with memory_update. Then say in a few lines what you kept and what you left.';

/** Registers prompts for a client's menu: the memory speaks first, and the agent goes on from there. */
export function registerPrompts(server: McpServer, { mode }: Access, parts: PromptParts): void {
  const speak = async (tool: typeof memorySearch, args: Record<string, unknown>): Promise<string> => {
    try {
      const { content } = await parts.limit(async () => tool.run(await parts.openCall(), args));
      const [first] = content;
      return first?.type === 'text' ? first.text : '';
    } catch (error) {
      throw parts.toClientError(error);
    }
  };
  server.registerPrompt(
    'briefing',
    {
      title: 'Briefing',
      description: 'What is remembered that bears on a task.',
      argsSchema: z.object({ task: z.string().describe('What is about to be done.').optional() }),
    },
    async ({ task = '' }) => {
      const told = await speak(memoryContext, { message: task });
      return say(`${told}\n\n${task === '' ? 'Say in a few lines what we were doing and what is open.' : task}`);
    },
  );
  server.registerPrompt(
    'recall',
    {
      title: 'Recall',
      description: 'Answer a question from memory, with its sources.',
      argsSchema: z.object({ question: z.string().describe('In plain words.') }),
    },
    async ({ question }) => {
      const found = await speak(memorySearch, { query: question, tokens: 2000 });
      return say(
        `${found}\n\nAnswer from this, name the paths you rely on, and say so if it is not enough: ${question}`,
      );
    },
  );
  if (mode === 'read-only') return;
  server.registerPrompt(
    'remember-this-conversation',
    { title: 'Remember this conversation', description: 'Keep what will matter again from this conversation.' },
    () => say(LOOKING_BACK),
  );
}

function say(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}
