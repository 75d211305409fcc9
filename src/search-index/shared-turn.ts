import { errorMessage, isMnemeError } from '../model/errors.ts';
import type { Clock } from '../platform/clock.ts';
import type { OpenIndex, OpenIndexes } from './open-index.ts';
import { isServerTrouble } from './postgres/trouble.ts';

/** A server that was gone a moment ago is not waited for again at once; longer each time. */
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/**
 * Chooses the index that answers: the shared one, or this machine's own while the server cannot be used. The own one is
 * made from the files here, so nothing of this machine is missing from it; what others wrote and has not come here yet is.
 */
export class SharedTurn {
  readonly #indexes: OpenIndexes;
  readonly #clock: Clock;
  #failures = 0;
  #pauseEndsMs = 0;
  #reason: string | undefined;

  constructor(indexes: OpenIndexes, clock: Clock) {
    this.#indexes = indexes;
    this.#clock = clock;
  }

  /** Why this machine's own index answers although the shared one is asked for; undefined when it does not. */
  get standInReason(): string | undefined {
    return this.#reason;
  }

  /** The index to ask now. */
  get current(): OpenIndex {
    if (!this.#indexes.isShared || this.#clock.now() < this.#pauseEndsMs) return this.#indexes.local();
    return this.#indexes.shared();
  }

  async use<T>(body: (open: OpenIndex) => Promise<T>): Promise<T> {
    if (!this.#indexes.isShared) return body(this.#indexes.local());
    if (this.#clock.now() < this.#pauseEndsMs) return body(this.#indexes.local());
    try {
      const result = await body(this.#indexes.shared());
      this.#failures = 0;
      this.#reason = undefined;
      return result;
    } catch (error) {
      if (!this.noteTrouble(error)) throw error;
      return body(this.#indexes.local());
    }
  }

  /** True when the error means that the own index has to answer from now on. */
  noteTrouble(error: unknown): boolean {
    if (!isServerTrouble(error)) return false;
    const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#failures);
    this.#failures += 1;
    this.#pauseEndsMs = this.#clock.now() + pauseMs;
    const hint = isMnemeError(error) ? (error.hint ?? '') : '';
    this.#reason =
      `${errorMessage(error)} This machine’s own index answers: what other machines wrote is found once it has come ` +
      `here by \`mneme sync\`. ${hint}`.trim();
    return true;
  }
}
