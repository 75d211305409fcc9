import { errorMessage } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import type { SessionExtraction } from '../extract/extract-session.ts';
import { learnsByItself } from './background-worker.ts';

/** The results and problems of background learning. */
export interface Learned {
  readonly sessions: readonly SessionExtraction[];
  readonly problems: readonly string[];
}

/** The time for learning while a home closes: a conversation takes a fraction of a second, unless a model is asked. */
const CLOSING_MS = 15_000;
/** For what the heuristic still has to do when the model did not answer. */
const AFTER_MODEL_MS = 10_000;

/** A model that does not answer is given up on first, so that what it was asked is judged without it. */
function closingMs({ reasoner }: OperationContext['config']): number {
  return reasoner.provider === 'heuristic' ? CLOSING_MS : Math.max(CLOSING_MS, reasoner.timeout_ms + AFTER_MODEL_MS);
}

/** Learning behind the verbs of one open home. Apart from extraction itself: a process that learns nothing loads none of it. */
export class Learning {
  readonly #config: OperationContext['config'];
  readonly #stop = new AbortController();
  readonly #sessions: SessionExtraction[] = [];
  readonly #problems: string[] = [];
  #queue: Promise<void> = Promise.resolve();

  constructor({ config }: Pick<OperationContext, 'config'>) {
    this.#config = config;
  }

  /**
   * Learns from a conversation behind whoever ended it: in this process, before it closes the home, or where a worker
   * does such things and it may take longer than a moment, there. What time does not suffice for waits for background
   * work.
   */
  later(context: OperationContext, session: string): void {
    const { config, worker } = context;
    if (!learnsByItself(context)) return;
    if (worker !== undefined && (worker.learnsForOthers || config.reasoner.provider !== 'heuristic')) {
      worker.wake();
      return;
    }
    this.#queue = this.#queue.then(() => this.#learn(context, session));
  }

  /** Waits until everything was learned, or gives up after a while, and tells what came of it, once. */
  async settle(withinMs = closingMs(this.#config)): Promise<Learned> {
    const timer = setTimeout(() => this.#stop.abort(), withinMs);
    await this.#queue;
    clearTimeout(timer);
    return { sessions: this.#sessions.splice(0), problems: this.#problems.splice(0) };
  }

  async #learn(context: OperationContext, session: string): Promise<void> {
    const { signal } = this.#stop;
    if (signal.aborted) return;
    try {
      // Loaded now: a process that ends no conversation has no use for it.
      const { learnFrom, reflectOn } = await import('./conversations.ts');
      const learned = await learnFrom(context, session, { signal });
      if (learned === undefined) return;
      this.#sessions.push(learned);
      if (!signal.aborted) await reflectOn(context, [learned]);
    } catch (error) {
      // An abort means that the home is being closed; unfinished conversations are learned from later.
      if (!signal.aborted) this.#problems.push(`Nothing was learned from a conversation: ${errorMessage(error)}`);
    }
  }
}
