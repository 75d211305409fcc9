/** A batch that follows an acknowledgement this soon usually takes its neighbours with it. */
const GATHER_MS = 150;

/** Drains closer together would leave a person's own git commands too little room for index.lock. */
const SPACING_MS = 700;

/** Decides when the background drain runs: soon after a mutation, never too often, never twice at once. */
export class DrainSchedule {
  readonly #drain: () => Promise<unknown>;
  readonly #intervalMs: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #lastStartMs: number;
  #isStopped = false;
  #lastError: unknown;

  /** With an interval (batch cadence) mutations gather that long. */
  constructor(drain: () => Promise<unknown>, intervalMs?: number) {
    this.#drain = drain;
    this.#intervalMs = intervalMs;
    // The activity of other processes is unknown; with batching configured, waiting a whole interval is what the
    // user wants.
    this.#lastStartMs = intervalMs === undefined ? Number.NEGATIVE_INFINITY : performance.now();
  }

  /** Why the last background drain failed; the next one tries again. */
  get lastError(): unknown {
    return this.#lastError;
  }

  request(): void {
    if (this.#isStopped || this.#timer !== undefined) return;
    const sinceLast = performance.now() - this.#lastStartMs;
    const waitMs = Math.max(GATHER_MS, (this.#intervalMs ?? SPACING_MS) - sinceLast);
    // The process need not stay alive for this: the journal has everything, and the next open drains it.
    this.#timer = setTimeout(() => this.#start(), waitMs).unref();
  }

  /** Waits for a drain that is under way and starts no more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#running;
  }

  #start(): void {
    this.#timer = undefined;
    if (this.#running !== undefined) {
      this.request();
      return;
    }
    this.#lastStartMs = performance.now();
    this.#running = this.#drain()
      .then(
        () => {
          this.#lastError = undefined;
        },
        (error: unknown) => {
          this.#lastError = error;
        },
      )
      .finally(() => {
        this.#running = undefined;
      });
  }
}
