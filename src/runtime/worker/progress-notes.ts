import { type Clock, elapsedMs } from '../../platform/clock.ts';
import { findProgress, writeProgress, type Progress } from '../../operations/background/progress.ts';
import type { EmbeddingProblem, EmbeddingState } from '../../search-index/embed/embed-missing.ts';

/** Rates follow what was seen last, so that the estimate is about what is going on now. */
const FOLLOWING = 0.3;
const FIRST_RETRY_MS = 3_600_000;
const LONGEST_RETRY_MS = 7 * 86_400_000;
/** A process that is killed is seldom killed by what it reads; the third time it may well be. */
const DEATHS_FORGIVEN = 2;
/** More than this is written down at once only when the state changes. */
const WRITE_MS = 500;

/** Keeps `state/worker.json` while this process does background work. */
export class ProgressNotes {
  readonly #state: string;
  readonly #clock: Clock;
  #made: Progress;
  #begunMs = 0;
  #writtenMs = -Infinity;
  #hasWorked = false;

  constructor(state: string, clock: Clock) {
    this.#state = state;
    this.#clock = clock;
    const before = findProgress(state);
    this.#made = {
      pid: process.pid,
      started: this.#now(),
      state: 'working',
      reason: null,
      done: { conversations: 0, passages: 0 },
      left: before?.left ?? { conversations: 0, passages: 0 },
      eachMs: before?.eachMs ?? { conversation: null, passage: null },
      models: before?.models ?? [],
      lastProblem: before?.lastProblem ?? null,
      current: null,
      again: before?.again ?? [],
      failed: Object.fromEntries(
        Object.entries(before?.failed ?? {}).filter(([, { retryMs }]) => retryMs > clock.now() - LONGEST_RETRY_MS),
      ),
    };
    // The worker that had this conversation ended in the middle, perhaps because of the conversation.
    if (typeof before?.current === 'string') this.#retryLater(before.current, DEATHS_FORGIVEN);
  }

  get failed(): Progress['failed'] {
    return this.#made.failed;
  }

  /** The conversation that was to be looked at again, once. */
  takeAgain(): string | undefined {
    const [session, ...again] = this.#made.again;
    if (session !== undefined) this.#change({ again });
    return session;
  }

  lookAgain(session: string): void {
    this.#change({ again: [...this.#made.again, session] }, true);
  }

  begin(session: string, left: number): void {
    this.#begunMs = elapsedMs();
    this.#change({ current: session, left: { ...this.#made.left, conversations: left + 1 } }, true);
  }

  learned(): void {
    const { done, left, failed, current, eachMs } = this.#made;
    const { [current ?? '']: _forgiven, ...others } = failed;
    this.#change({
      current: null,
      failed: others,
      done: { ...done, conversations: done.conversations + 1 },
      left: { ...left, conversations: Math.max(0, left.conversations - 1) },
      eachMs: { ...eachMs, conversation: follow(eachMs.conversation, elapsedMs() - this.#begunMs) },
    });
  }

  /** It was not its turn, or the process is to end. */
  putBack(): void {
    this.#change({ current: null }, true);
  }

  failedToLearn(problem: EmbeddingProblem): void {
    if (this.#made.current !== null) this.#retryLater(this.#made.current, 0);
    this.noteProblem(problem);
    this.#change({ current: null }, true);
  }

  leftToLearn(conversations: number): void {
    if (this.#made.left.conversations !== conversations) this.#change({ left: { ...this.#made.left, conversations } });
  }

  embedded(states: readonly EmbeddingState[], tookMs: number): void {
    const { done, left, eachMs } = this.#made;
    const made = Math.max(0, ...states.map((state) => state.done));
    const passages = Math.max(0, ...states.map(({ remaining }) => remaining ?? 0));
    if (made === 0 && passages === left.passages) return;
    this.#change({
      models: states.map(({ model }) => model),
      done: { ...done, passages: done.passages + made },
      left: { ...left, passages },
      eachMs: made === 0 ? eachMs : { ...eachMs, passage: follow(eachMs.passage, tookMs / made) },
    });
  }

  wait(reason: string): void {
    this.#change({ state: 'waiting', reason }, true);
  }

  noteProblem({ message, hint }: EmbeddingProblem): void {
    this.#hasWorked = true;
    this.#made = { ...this.#made, lastProblem: { time: this.#now(), message, hint: hint ?? null } };
  }

  /** A process that stays looks often, and writes nothing down where nothing was to be done. */
  end(): void {
    if (!this.#hasWorked) return;
    const isDone = this.#made.left.conversations + this.#made.left.passages === 0;
    const lastProblem = isDone && Object.keys(this.#made.failed).length === 0 ? null : this.#made.lastProblem;
    this.#made = { ...this.#made, state: 'idle', reason: null, current: null, lastProblem };
    this.#write(true);
  }

  #retryLater(session: string, forgiven: number): void {
    const attempts = (this.#made.failed[session]?.attempts ?? 0) + 1;
    const pauses = attempts - forgiven;
    const pauseMs = pauses <= 0 ? 0 : Math.min(LONGEST_RETRY_MS, FIRST_RETRY_MS * 2 ** (pauses - 1));
    const failed = { ...this.#made.failed, [session]: { attempts, retryMs: this.#clock.now() + pauseMs } };
    this.#made = { ...this.#made, failed };
  }

  #change(changed: Partial<Progress>, isUrgent = false): void {
    this.#made = { ...this.#made, state: 'working', reason: null, ...changed };
    this.#hasWorked = true;
    this.#write(isUrgent);
  }

  #write(isUrgent: boolean): void {
    const nowMs = elapsedMs();
    if (!isUrgent && nowMs - this.#writtenMs < WRITE_MS) return;
    this.#writtenMs = nowMs;
    writeProgress(this.#state, this.#made);
  }

  #now(): string {
    return new Date(this.#clock.now()).toISOString();
  }
}

function follow(before: number | null, now: number): number {
  return before === null ? now : before + FOLLOWING * (now - before);
}
