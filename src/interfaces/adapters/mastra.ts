import type { Mneme } from '../../index.ts';
import { MemoryOfConversation, type ConversationOptions } from './memory-of-conversation.ts';

export type { ConversationOptions } from './memory-of-conversation.ts';

/** A message as far as this adapter reads it; Mastra has the full type. */
interface Message {
  readonly id: string;
  readonly role: string;
  readonly content: { readonly parts: readonly { readonly type: string; readonly text?: string }[] };
}

interface SystemMessage {
  role: 'system';
  content: string;
}

/** A processor of Mastra, for `inputProcessors` and `outputProcessors` of an agent: both, or what is said is only told or only kept. */
export interface MemoryProcessor {
  readonly id: 'mneme';
  readonly processInput: <One extends Message, System>(args: {
    messages: One[];
    systemMessages: System[];
  }) => Promise<{ messages: One[]; systemMessages: (System | SystemMessage)[] }>;
  readonly processOutputResult: <One extends Message>(args: {
    messages: One[];
    result: { readonly text: string };
  }) => Promise<One[]>;
}

/**
 * The memory for one conversation of a Mastra agent: the model is told what is remembered about each message, and what is said is
 * taken in by the session. Mastra's own `Memory` may keep the thread beside it.
 */
export function memoryProcessor(memory: Mneme, options: ConversationOptions = {}): MemoryProcessor {
  const conversation = new MemoryOfConversation(memory, options);
  return {
    id: 'mneme',
    async processInput({ messages, systemMessages }) {
      const last = messages.findLast(({ role }) => role === 'user');
      if (last === undefined) return { messages, systemMessages };
      const text = last.content.parts.flatMap((part) => (part.type === 'text' ? [part.text ?? ''] : [])).join('\n');
      const { start, aboutMessage } = await conversation.heard(text, last.id);
      const told = [start, aboutMessage].filter((part) => part !== '');
      return {
        messages,
        systemMessages: [...systemMessages, ...told.map((content) => ({ role: 'system' as const, content }))],
      };
    },
    async processOutputResult({ messages, result }) {
      await conversation.answered(result.text);
      return messages;
    },
  };
}
