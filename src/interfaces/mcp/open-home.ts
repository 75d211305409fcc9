import type { Mneme } from '../../mneme.ts';

/**
 * A home that is opened while clients already connect. What fails to open (a disk that is not mounted yet, a lock) is
 * tried again by the next call instead of ending a process that an agent cannot restart.
 */
export class OpenHome {
  readonly path: string;
  readonly #open: () => Promise<Mneme>;
  #opened: Promise<Mneme> | undefined;

  constructor(path: string, open: () => Promise<Mneme>) {
    this.path = path;
    this.#open = open;
  }

  get(): Promise<Mneme> {
    this.#opened ??= this.#open().catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }

  /** What was begun is finished first. */
  async close(): Promise<void> {
    const opened = await this.#opened?.catch(() => undefined);
    await opened?.close();
  }
}
