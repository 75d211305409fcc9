import { errorMessage, isMnemeError } from '../../model/errors.ts';
import type { Mneme } from '../../mneme.ts';
import type { SessionHandle } from '../../operations/session/session.ts';

export interface ConversationOptions {
  /** The conversation that takes in what is said, from `memory.session.start()`; nothing is captured without one. */
  readonly session?: SessionHandle | undefined;
  /** Besides what is shared, the private scope whose memories are included. */
  readonly scope?: string | undefined;
  /** Called with failures of the memory; the default is a process warning. The agent answers without it. */
  readonly onProblem?: ((message: string) => void) | undefined;
}

/** The context that a model gets for one message of the user. */
export interface Told {
  /** The agent's identity and constant knowledge: the same for the whole conversation. */
  readonly start: string;
  /** Memories about this message; '' when there are none. */
  readonly aboutMessage: string;
}

/**
 * Includes what is remembered in a conversation and takes in what is said, for frameworks that send the whole history with
 * every call and keep nothing of what was added to it.
 */
export class MemoryOfConversation {
  readonly #memory: Mneme;
  readonly #options: ConversationOptions;
  #start: Promise<string> | undefined;
  /** The message that is being answered: an agent that calls tools asks its model several times about one. */
  #current: { readonly mark: string; readonly told: Promise<Told> } | undefined;

  constructor(memory: Mneme, options: ConversationOptions) {
    this.#memory = memory;
    this.#options = options;
  }

  /** Compiles what to tell about the user's last message and takes the message in, once for each `mark`. */
  heard(text: string, mark: string): Promise<Told> {
    if (this.#current?.mark === mark) return this.#current.told;
    const told = this.#hear(text);
    this.#current = { mark, told };
    return told;
  }

  /** Takes in what the agent answered. */
  async answered(text: string): Promise<void> {
    const { session } = this.#options;
    if (session === undefined || text.trim() === '') return;
    await this.#attempt('capture', () => session.message('assistant', text));
  }

  async #hear(text: string): Promise<Told> {
    const { session, scope } = this.#options;
    // No session is named: what was told earlier is not in the history, and has to be told again.
    this.#start ??= this.#brief('', { event: 'session-start', scope });
    const start = await this.#start;
    if (text.trim() === '') return { start, aboutMessage: '' };
    // Asked before the message is taken in, or the message would be what is remembered about it.
    const aboutMessage = await this.#brief(text, { event: 'prompt', scope });
    if (session !== undefined) await this.#attempt('capture', () => session.message('user', text));
    return { start, aboutMessage };
  }

  async #brief(message: string, options: Parameters<Mneme['context']>[1]): Promise<string> {
    return (await this.#attempt('recall', () => this.#memory.context(message, options)))?.prompt ?? '';
  }

  /** A memory that fails must not keep an agent from answering. */
  async #attempt<T>(what: string, body: () => Promise<T>): Promise<T | undefined> {
    try {
      return await body();
    } catch (error) {
      const hint = isMnemeError(error) && error.hint !== undefined ? ` ${error.hint}` : '';
      const { onProblem = warn } = this.#options;
      onProblem(`mneme: ${what}: ${errorMessage(error)}${hint}`);
      return undefined;
    }
  }
}

function warn(message: string): void {
  process.emitWarning(message);
}
