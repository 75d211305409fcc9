import type { Worker } from 'node:worker_threads';
import { errorMessage, MnemeError } from '../../../model/errors.ts';
import { ReadyJson } from '../json.ts';
import { type Asked, type FromThread, type ToThread, startAnswerThread } from './answer-thread.ts';

export interface AnswerThreadsParts {
  readonly home: string;
  readonly onProblem: (message: string) => void;
  /** Replaceable for tests. */
  readonly start?: typeof startAnswerThread | undefined;
}

/** One being answered and one that follows at once; what comes beyond is answered here in the meantime. */
const MAX_EACH = 2;
/** A thread that ends is not begun again at once: what ended it may still be there. */
const RESTART_MS = 30_000;
const CLOSE_MS = 3000;

type Settle = (answer: ReadyJson | MnemeError | undefined) => void;

interface Thread {
  readonly worker: Worker;
  readonly waiting: Map<number, Settle>;
  isReady: boolean;
}

/**
 * Searching is work for the processor: threads beside the main one answer questions, so that a second core is of use and
 * requests are received meanwhile. They only help: whatever a thread cannot do, the main thread does.
 */
export class AnswerThreads {
  readonly #parts: AnswerThreadsParts;
  readonly #threads = new Set<Thread>();
  readonly #restarts = new Set<NodeJS.Timeout>();
  #lastNumber = 0;
  #isClosed = false;

  constructor(parts: AnswerThreadsParts) {
    this.#parts = parts;
  }

  /** When the home has been opened: they need not all complete what the last process left. */
  start(count: number): void {
    for (let begun = 0; begun < count; begun += 1) this.#begin();
  }

  /** The number of threads that can answer now. */
  get ready(): number {
    return [...this.#threads].filter(({ isReady }) => isReady).length;
  }

  /** Undefined when no thread is free, or the one that was asked has failed: then it is answered here. */
  async recall(asked: Asked): Promise<ReadyJson | undefined> {
    const [best] = [...this.#threads]
      .filter(({ isReady, waiting }) => isReady && waiting.size < MAX_EACH)
      .sort((left, right) => left.waiting.size - right.waiting.size);
    if (best === undefined) return undefined;
    this.#lastNumber += 1;
    const number = this.#lastNumber;
    const answer = await new Promise<ReadyJson | MnemeError | undefined>((settle) => {
      best.waiting.set(number, settle);
      send(best.worker, { number, asked });
    });
    if (answer instanceof MnemeError) throw answer;
    return answer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const timer of this.#restarts) clearTimeout(timer);
    await Promise.all([...this.#threads].map(endThread));
  }

  #begin(): void {
    const { home, onProblem, start = startAnswerThread } = this.#parts;
    const thread: Thread = { worker: start({ home }), waiting: new Map(), isReady: false };
    this.#threads.add(thread);
    thread.worker.on('message', (message: FromThread) => this.#hear(thread, message));
    thread.worker.on('error', (error) => onProblem(`A thread that answers questions failed: ${errorMessage(error)}`));
    thread.worker.on('exit', () => this.#noteEnd(thread));
  }

  #hear(thread: Thread, message: FromThread): void {
    if (message.kind === 'ready') {
      thread.isReady = true;
      return;
    }
    if (message.kind === 'problem') {
      this.#parts.onProblem(message.message);
      return;
    }
    const settle = thread.waiting.get(message.number);
    thread.waiting.delete(message.number);
    settle?.(answerOf(message));
  }

  #noteEnd(thread: Thread): void {
    this.#threads.delete(thread);
    for (const settle of thread.waiting.values()) settle(undefined);
    thread.waiting.clear();
    if (this.#isClosed) return;
    this.#parts.onProblem('A thread that answers questions has ended; the main thread answers until it is back.');
    const timer = setTimeout(() => {
      this.#restarts.delete(timer);
      this.#begin();
    }, RESTART_MS).unref();
    this.#restarts.add(timer);
  }
}

type Settled = Exclude<FromThread, { readonly kind: 'ready' | 'problem' }>;

function answerOf(message: Settled): ReadyJson | MnemeError | undefined {
  if (message.kind === 'answer') return new ReadyJson(message.json);
  if (message.kind === 'failed') return undefined;
  const { code, message: text, hint } = message.error;
  return new MnemeError(code, text, { hint });
}

async function endThread({ worker }: Thread): Promise<void> {
  const ended = new Promise((resolve) => worker.once('exit', resolve));
  send(worker, 'close');
  const late = setTimeout(() => void worker.terminate(), CLOSE_MS);
  await ended;
  clearTimeout(late);
}

function send(worker: Worker, message: ToThread): void {
  worker.postMessage(message, []);
}
