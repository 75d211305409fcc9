import { waitFor } from '../jobs/wait.ts';

/** Lets whoever waits be woken by whoever has work for them; a call that comes before the wait counts. */
export class Wake {
  #called = new AbortController();

  call(): void {
    this.#called.abort();
  }

  /** Until it is called, or time is over, or the signal says so. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await waitFor(milliseconds, AbortSignal.any([signal, this.#called.signal]));
    this.#called = new AbortController();
  }
}
