import { MnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import { endSession, type EndedSession } from './end.ts';
import { sessionMessage, sessionTool, type AppendedTurn, type MessageInput } from './message.ts';
import { startSession, type StartedSession, type StartSessionInput } from './start.ts';

/** Conversations, as the library offers them: `m.session.start(options)`. */
export class SessionVerbs {
  readonly #context: OperationContext;

  constructor(context: OperationContext) {
    this.#context = context;
  }

  async start(options: StartSessionInput = {}): Promise<SessionHandle> {
    return new SessionHandle(this.#context, await runOperation(startSession, this.#context, options));
  }
}

/** A conversation that is going on. What is added is durable and found by the next question when the promise resolves. */
export class SessionHandle {
  readonly id: string;
  readonly part: number;
  readonly #context: OperationContext;
  #hasEnded = false;

  constructor(context: OperationContext, { session, part }: StartedSession) {
    this.#context = context;
    this.id = session;
    this.part = part;
  }

  message(
    role: MessageInput['role'],
    text: string,
    options: Pick<MessageInput, 'time' | 'name'> = {},
  ): Promise<AppendedTurn> {
    return this.#going(() => runOperation(sessionMessage, this.#context, { ...options, session: this.id, role, text }));
  }

  tool(name: string, args: unknown, result?: unknown, options: Pick<MessageInput, 'time'> = {}): Promise<AppendedTurn> {
    return this.#going(() =>
      runOperation(sessionTool, this.#context, { ...options, session: this.id, name, args, result }),
    );
  }

  async end(): Promise<EndedSession> {
    const ended = await this.#going(() => runOperation(endSession, this.#context, { session: this.id }));
    this.#hasEnded = true;
    return ended;
  }

  async #going<T>(body: () => Promise<T>): Promise<T> {
    if (!this.#hasEnded) return body();
    throw new MnemeError('usage', `Session ${this.id} has ended.`, {
      hint: 'Start it again with the same id to go on with it.',
    });
  }
}
