import { waitFor } from '../../platform/clock.ts';

/** A run that this process drives. */
interface Driven {
  readonly run: string;
  /** Settles when this process has let go of it. */
  readonly done: Promise<unknown>;
  /** Releases it for other processes. */
  readonly letGo: () => void;
}

/** A step that takes longer than this is left to itself: closing must not hang for as long as somebody's action does. */
const PATIENCE_MS = 30_000;

/** The runs of procedures that this process drives. */
export class ActiveRuns {
  readonly #closing = new AbortController();
  readonly #runs = new Set<Driven>();

  /** Aborted when the home is being closed: runs are paused as soon as their present step has ended. */
  get closing(): AbortSignal {
    return this.#closing.signal;
  }

  get isEmpty(): boolean {
    return this.#runs.size === 0;
  }

  /** Keeps account of a run for as long as it is driven. */
  async track<T>(run: string, letGo: () => void, done: Promise<T>): Promise<T> {
    const driven = { run, done, letGo };
    this.#runs.add(driven);
    try {
      return await done;
    } finally {
      this.#runs.delete(driven);
    }
  }

  /** Pauses every run when its present step has ended, and waits for that. Returns what was left under way, in words. */
  async pause(patienceMs = PATIENCE_MS): Promise<string[]> {
    this.#closing.abort();
    const settled = new AbortController();
    const all = Promise.allSettled(Array.from(this.#runs, ({ done }) => done)).then(() => settled.abort());
    await Promise.race([all, waitFor(patienceMs, settled.signal)]);
    const left = [...this.#runs];
    this.#runs.clear();
    return left.map(({ run, letGo }) => {
      letGo();
      return `A step of ${run} was still under way ${patienceMs / 1000} s after the home was told to close; \`mneme procedure resume ${run}\` goes on from there.`;
    });
  }
}
