import type { SessionBuffer } from '../../capture/session-buffers.ts';
import type { KnowledgeChange } from '../../capture/live-turn.ts';
import type { Briefing } from '../../compile/receipt.ts';
import { MnemeError } from '../../model/errors.ts';
import type { BriefingInput } from '../briefing.ts';
import type { OperationContext } from '../context.ts';
import { runLater } from '../operation.ts';
import type { AttachedFile } from './attach.ts';
import type { EndedSession } from './end.ts';
import type { AppendedMessage, AppendedTurn, MessageInput } from './message.ts';
import type { StartedSession, StartSessionInput } from './start.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

/** `m.session.start(options)`: begins a conversation, or goes on with one. */
export type StartSession = (options?: StartSessionInput) => Promise<SessionHandle>;

export function createSessionStart(context: OperationContext, assertOpen: AssertOpen): StartSession {
  return async (options = {}) => {
    await assertOpen();
    const started = await runLater(async () => (await import('./start.ts')).startSession, context, options);
    return new SessionHandle(context, started, options.project, assertOpen);
  };
}

type When = Pick<MessageInput, 'time'>;

/** A conversation that is going on. What is added is durable and found by the next question when the promise resolves. */
export class SessionHandle {
  readonly id: string;
  readonly part: number;
  /** Whether there was a session of this id, open or ended. */
  readonly isResumed: boolean;
  /** Whether nothing said in it is kept. */
  readonly isPrivate: boolean;
  readonly #context: OperationContext;
  readonly #project: string | undefined;
  readonly #assertOpen: AssertOpen;
  #hasEnded = false;

  constructor(
    context: OperationContext,
    { session, part, isResumed, isPrivate }: StartedSession,
    project: string | undefined,
    assertOpen: AssertOpen,
  ) {
    this.#context = context;
    this.id = session;
    this.part = part;
    this.isResumed = isResumed;
    this.isPrivate = isPrivate;
    this.#project = project;
    this.#assertOpen = assertOpen;
  }

  message(
    role: MessageInput['role'],
    text: string,
    options: Pick<MessageInput, 'time' | 'name'> = {},
  ): Promise<AppendedMessage> {
    return this.#going(() =>
      runLater(async () => (await import('./message.ts')).sessionMessage, this.#context, {
        ...options,
        session: this.id,
        role,
        text,
      }),
    );
  }

  tool(name: string, args: unknown, result?: unknown, options: When = {}): Promise<AppendedTurn> {
    const call = { ...options, session: this.id, name, args, result };
    return this.#going(() => runLater(async () => (await import('./message.ts')).sessionTool, this.#context, call));
  }

  /** Keeps a file beside the conversation, once for the same bytes; the transcript refers to it. */
  attach(name: string, bytes: Uint8Array, options: When & { readonly note?: string } = {}): Promise<AttachedFile> {
    const file = { ...options, session: this.id, name, content: Buffer.from(bytes).toString('base64') };
    return this.#going(() => runLater(async () => (await import('./attach.ts')).attachFile, this.#context, file));
  }

  /** Notes what the conversation changed in the memory: lines in the transcript, and a list above it. */
  knowledge(changes: readonly KnowledgeChange[], options: When = {}): Promise<AppendedTurn> {
    const noted = { ...options, session: this.id, changes: [...changes] };
    return this.#going(() =>
      runLater(async () => (await import('./knowledge.ts')).sessionKnowledge, this.#context, noted),
    );
  }

  /** The context for an agent's start; `context(…, {event: 'prompt'})` does not inject it again. */
  bootstrap(options: Omit<BriefingInput, 'session' | 'event'> = {}): Promise<Briefing> {
    const source = this.isResumed ? 'resume' : 'startup';
    const project = this.#project === undefined ? {} : { project: this.#project };
    const request = { source, ...project, ...options, session: this.id, event: 'session-start' } as const;
    return this.#going(() => runLater(async () => (await import('../briefing.ts')).briefing, this.#context, request));
  }

  /** The agent's window is emptied: what was said so far becomes a transcript, what was told may be told again. */
  reset(): Promise<EndedSession> {
    return this.#going(() =>
      runLater(async () => (await import('./reset.ts')).resetSession, this.#context, { session: this.id }),
    );
  }

  /** Unprocessed turns, for work in the background; null when there is nothing new. */
  buffer(): Promise<SessionBuffer | null> {
    return this.#going(() =>
      runLater(async () => (await import('./buffer.ts')).sessionBuffer, this.#context, { session: this.id }),
    );
  }

  /** Notes how far the session was processed, by the number of the last turn that was. */
  processed(turn: number): Promise<{ readonly processed: number }> {
    return this.#going(() =>
      runLater(async () => (await import('./buffer.ts')).sessionProcessed, this.#context, { session: this.id, turn }),
    );
  }

  async end(): Promise<EndedSession> {
    const ended = await this.#going(() =>
      runLater(async () => (await import('./end.ts')).endSession, this.#context, { session: this.id }),
    );
    this.#hasEnded = true;
    return ended;
  }

  async #going<T>(body: () => Promise<T>): Promise<T> {
    await this.#assertOpen();
    if (!this.#hasEnded) return body();
    throw new MnemeError('usage', `Session ${this.id} has ended.`, {
      hint: 'Start it again with the same id to go on with it.',
    });
  }
}
