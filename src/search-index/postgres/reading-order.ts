/**
 * A lock for data in memory that is updated while answers are computed from it: those who read it together
 * hold it, and who changes it waits until nobody does.
 */
export class ReadersAndWriter {
  #readers = 0;
  #writer: Promise<void> = Promise.resolve();
  #onIdle: (() => void) | undefined;

  async read<T>(body: () => Promise<T>): Promise<T> {
    await this.#afterWriters();
    this.#readers += 1;
    try {
      return await body();
    } finally {
      this.#readers -= 1;
      if (this.#readers === 0) this.#onIdle?.();
    }
  }

  /** One after the other, while nobody reads; who wants to read meanwhile waits. */
  write<T>(body: () => Promise<T>): Promise<T> {
    const turn = this.#writer.then(async () => {
      if (this.#readers > 0) {
        await new Promise<void>((resolve) => {
          this.#onIdle = resolve;
        });
        this.#onIdle = undefined;
      }
      return body();
    });
    this.#writer = turn.then(
      () => undefined,
      () => undefined,
    );
    return turn;
  }

  async #afterWriters(): Promise<void> {
    for (let seen = this.#writer; ; seen = this.#writer) {
      await seen;
      if (seen === this.#writer) return;
    }
  }
}
