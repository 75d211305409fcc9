import type { Mneme, SessionHandle } from '../../index.ts';
import { MemoryOfConversation, type ConversationOptions } from './memory-of-conversation.ts';

/** An item of a conversation as far as this adapter reads it; the OpenAI Agents SDK has the full type. */
interface Item {
  readonly role?: string;
  readonly content?: unknown;
  readonly type?: string;
}

interface TextPart {
  readonly type?: string;
  readonly text?: string;
}

export interface AgentsOptions extends Omit<ConversationOptions, 'session'> {
  /** The conversation, from `memory.session.start()`; given the `id` of an earlier one, it goes on where that stopped. */
  readonly session: SessionHandle;
}

/** The input that `run(agent, input, …)` of the OpenAI Agents SDK takes. */
export interface AgentsConversation {
  readonly session: ConversationSession;
  /** Includes what is remembered about the new input. Not kept in the conversation: it is found again when it matters. */
  readonly sessionInputCallback: <AgentItem extends object>(
    history: AgentItem[],
    added: AgentItem[],
  ) => Promise<AgentItem[]>;
}

/** A conversation of the OpenAI Agents SDK that is remembered: `run(agent, input, await memoryConversation(memory, { session }))`. */
export async function memoryConversation(memory: Mneme, options: AgentsOptions): Promise<AgentsConversation> {
  const conversation = new MemoryOfConversation(memory, options);
  const told = new Set<string>();
  const earlier = options.session.isResumed ? await earlierItems(memory, options.session.id) : [];
  const session = new ConversationSession(options.session.id, earlier, told, conversation);
  let turn = 0;
  return {
    session,
    async sessionInputCallback(history, added) {
      const text = added.flatMap((item) => textOf(item, 'user')).join('\n');
      turn += 1;
      const { start, aboutMessage } = await conversation.heard(text, `${turn} ${text}`);
      const items = [start, aboutMessage].filter((part) => part !== '').map((content) => ({ role: 'system', content }));
      for (const { content } of items) told.add(content);
      // The type of items is the SDK's own, and a system message is one of them.
      return [...history, ...(items as object[] as typeof history), ...added];
    },
  };
}

/**
 * `Session` of the OpenAI Agents SDK. In one process it holds every item as it was; what a later one goes on with are the words of
 * the transcript, without the calls of tools.
 */
export class ConversationSession {
  readonly #id: string;
  readonly #told: ReadonlySet<string>;
  readonly #conversation: MemoryOfConversation;
  #items: object[];

  constructor(id: string, earlier: object[], told: ReadonlySet<string>, conversation: MemoryOfConversation) {
    this.#id = id;
    this.#items = earlier;
    this.#told = told;
    this.#conversation = conversation;
  }

  getSessionId(): Promise<string> {
    return Promise.resolve(this.#id);
  }

  // `never`: whatever the SDK calls an item, these are the ones it handed over.
  getItems(limit?: number): Promise<never[]> {
    const items = limit === undefined ? this.#items : this.#items.slice(Math.max(0, this.#items.length - limit));
    return Promise.resolve([...items] as never[]);
  }

  async addItems(items: object[]): Promise<void> {
    const said = items.filter((item: Item) => item.role !== 'system' || !this.#told.has(String(item.content)));
    this.#items = [...this.#items, ...said];
    const answer = said.flatMap((item) => textOf(item, 'assistant')).join('\n');
    await this.#conversation.answered(answer);
  }

  popItem(): Promise<undefined> {
    return Promise.resolve(this.#items.pop() as undefined);
  }

  /** Empties the conversation that the model sees. What was said stays in the transcript: `forget` removes it from there. */
  clearSession(): Promise<void> {
    this.#items = [];
    return Promise.resolve();
  }
}

/** The most turns of an earlier run that the model is shown again. */
const MAX_EARLIER_TURNS = 200;

async function earlierItems(memory: Mneme, id: string): Promise<object[]> {
  const { total } = await memory.session.transcript(id, { limit: 1 });
  const from = Math.max(0, total - MAX_EARLIER_TURNS);
  const { turns } = await memory.session.transcript(id, { from, limit: MAX_EARLIER_TURNS });
  return turns.flatMap(({ role, text }): object[] => {
    if (text === '') return [];
    if (role === 'user') return [{ role, content: text }];
    const content = [{ type: 'output_text', text }];
    return role === 'agent' ? [{ role: 'assistant', status: 'completed', content }] : [];
  });
}

function textOf(item: Item, role: string): string[] {
  if (item.role !== role) return [];
  if (typeof item.content === 'string') return [item.content];
  if (!Array.isArray(item.content)) return [];
  return (item.content as TextPart[]).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
}
