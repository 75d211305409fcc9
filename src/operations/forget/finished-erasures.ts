import type { Forgotten } from './forgotten.ts';

/** The erasures that opening the home has just finished, for a caller who opened it to confirm exactly that. */
export class FinishedErasures {
  readonly #byCode = new Map<string, Forgotten>();

  add(code: string, done: Forgotten): void {
    this.#byCode.set(code, done);
  }

  take(code: string): Forgotten | undefined {
    const done = this.#byCode.get(code);
    this.#byCode.delete(code);
    return done;
  }
}
