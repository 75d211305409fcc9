import type { Clock } from '../../../platform/clock.ts';
import type { Json } from '../expression/evaluate.ts';
import type { Actions } from './actions.ts';
import { applyEvent } from './apply.ts';
import { nextMove, type NextMove } from './next.ts';
import { perform, type Performed, type Sleep } from './perform.ts';
import { type Answer, type KeptEvent, type Question, type RunEvent, type RunState, statusOf } from './state.ts';

/** A request of another process to a run. */
export interface Wish {
  readonly want: 'pause' | 'cancel';
  readonly by: string;
  readonly why: string;
}

/** Answers of earlier calls, for steps that allow it. */
export interface AnswerCache {
  find(call: string, maxAgeMs: number): Json | undefined;
  keep(call: string, answer: Json): void;
}

export interface DriveParts {
  readonly actions: Actions;
  readonly clock: Clock;
  readonly sleep: Sleep;
  /** Durable when it resolves; nothing is done before what leads to it is. */
  readonly append: (event: RunEvent, state: RunState) => Promise<void>;
  /** Looked at between steps and every now and then during one. */
  readonly wish?: (() => Wish | undefined) | undefined;
  /** Asks a person; undefined as an answer leaves the question open. */
  readonly answer?: ((question: Question, state: RunState) => Promise<Answer | undefined>) | undefined;
  /** Returns when nothing more urgent is under way. */
  readonly standBack?: (() => Promise<void>) | undefined;
  readonly cache?: AnswerCache | undefined;
  readonly onEvent?: ((event: KeptEvent, state: RunState) => void) | undefined;
  readonly graceMs: number;
}

/** The interval at which requests are noticed while a step takes its time. */
const LOOK_MS = 200;

/** Runs until the run has ended, waits for somebody or is paused. */
export async function driveRun(parts: DriveParts, start: RunState): Promise<RunState> {
  return new Driver(parts, start).drive();
}

class Driver {
  readonly #parts: DriveParts;
  #state: RunState;

  constructor(parts: DriveParts, state: RunState) {
    this.#parts = parts;
    this.#state = state;
  }

  async drive(): Promise<RunState> {
    for (;;) {
      await this.#parts.standBack?.();
      await this.#heed(this.#parts.wish?.());
      const move = nextMove(this.#state, this.#parts.clock.now());
      if (move.do === 'record') await this.#record(move.event);
      else if (move.do === 'wait') await this.#wait(move.untilMs);
      else if (move.do === 'call') await this.#call(move);
      else if (!(await this.#answerIfAsked())) return this.#state;
    }
  }

  async #record(event: RunEvent): Promise<void> {
    const next = applyEvent(this.#state, event);
    await this.#parts.append(event, this.#state);
    this.#state = next;
    this.#parts.onEvent?.(event, next);
  }

  async #heed(wish: Wish | undefined): Promise<void> {
    if (wish === undefined || this.#state.ending !== undefined) return;
    const { want, by, why } = wish;
    const atMs = this.#parts.clock.now();
    if (want === 'cancel') await this.#record({ type: 'cancelled', atMs, by, why });
    else if (!this.#state.isPaused) await this.#record({ type: 'paused', atMs, by });
  }

  async #answerIfAsked(): Promise<boolean> {
    const { question } = this.#state;
    if (statusOf(this.#state) !== 'waiting' || question === undefined) return false;
    const answer = await this.#parts.answer?.(question, this.#state);
    if (answer === undefined) return false;
    await this.#record({ type: 'answered', atMs: this.#parts.clock.now(), answer, by: this.#state.by });
    return true;
  }

  /** In short pieces: a wish need not wait for the end of it. */
  async #wait(untilMs: number): Promise<void> {
    const pieceMs = Math.min(LOOK_MS, untilMs - this.#parts.clock.now());
    if (pieceMs > 0) await this.#parts.sleep(pieceMs, new AbortController().signal);
  }

  async #call(move: NextMove & { readonly do: 'call' }): Promise<void> {
    const { begun, step } = move;
    await this.#record(begun);
    const cached = step.cacheMs === undefined ? undefined : this.#parts.cache?.find(begun.call, step.cacheMs);
    const { performed, wish } =
      cached === undefined ? await this.#perform(move) : { performed: fromCache(cached), wish: undefined };
    const { outcome, answer, note, error } = performed;
    const isCached = cached !== undefined;
    if (outcome === 'ok' && !isCached && step.cacheMs !== undefined && note === undefined) {
      this.#parts.cache?.keep(begun.call, answer ?? null);
    }
    const { step: number, attempt } = begun;
    // Before what came of the step: it fails because it was cancelled, not the other way round.
    if (wish?.want === 'cancel') await this.#heed(wish);
    const atMs = this.#parts.clock.now();
    await this.#record({ type: 'ended', atMs, step: number, attempt, outcome, answer, note, error, isCached });
    await this.#heed(wish);
  }

  async #perform(
    move: NextMove & { readonly do: 'call' },
  ): Promise<{ readonly performed: Performed; readonly wish: Wish | undefined }> {
    const { actions, sleep, graceMs } = this.#parts;
    const { run, plan, variables } = this.#state;
    const action = actions.find(move.action);
    if (action === undefined) {
      const error = `nobody registered the action "${move.action}"`;
      return { performed: { outcome: 'failed', error }, wish: undefined };
    }
    const stop = new AbortController();
    const done = new AbortController();
    const watching = this.#watch(stop, done.signal);
    const context = { run, procedure: plan.name, step: move.step.label, attempt: move.begun.attempt, variables };
    const limits = { timeoutMs: move.step.timeoutMs, graceMs, sleep, signal: stop.signal };
    const performed = await perform(action, move.given, context, limits);
    done.abort();
    return { performed, wish: await watching };
  }

  /** Looks for wishes while a step is under way: a cancellation stops it, a pause waits for its end. */
  async #watch(stop: AbortController, done: AbortSignal): Promise<Wish | undefined> {
    const { wish: look, sleep } = this.#parts;
    if (look === undefined) return undefined;
    let found: Wish | undefined;
    while (!done.aborted && found?.want !== 'cancel') {
      await sleep(LOOK_MS, done);
      if (!done.aborted) found = look() ?? found;
      if (found?.want === 'cancel') stop.abort();
    }
    return found;
  }
}

function fromCache(answer: Json): Performed {
  return { outcome: 'ok', answer };
}
