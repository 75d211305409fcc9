import type { Clock } from '../../platform/clock.ts';

/** The pause after a failure that needs human action, so that asking again soon is pointless. */
const LASTING_REST_MS = 5 * 60_000;
const PASSING_REST_MS = 60_000;
const PASSING_FAILURES = 3;

interface Trouble {
  readonly failures: number;
  readonly untilMs: number;
  readonly reason: string;
}

/** Leaves a model alone for a while after it failed: a slow service must not make every message wait its time limit. */
export class Rest {
  readonly #clock: Clock;
  readonly #troubles = new Map<string, Trouble>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Why a model is not asked now. */
  reasonFor(model: string): string | undefined {
    const trouble = this.#troubles.get(model);
    const leftMs = trouble === undefined ? 0 : trouble.untilMs - this.#clock.now();
    // More than the longest rest is left only when the clock was set back.
    if (trouble === undefined || leftMs <= 0 || leftMs > LASTING_REST_MS) return undefined;
    return `it is left alone for a while, after: ${trouble.reason}`;
  }

  succeeded(model: string): void {
    this.#troubles.delete(model);
  }

  failed(model: string, reason: string, isLasting: boolean): void {
    const failures = (this.#troubles.get(model)?.failures ?? 0) + 1;
    const restMs = isLasting ? LASTING_REST_MS : failures >= PASSING_FAILURES ? PASSING_REST_MS : 0;
    this.#troubles.set(model, { failures, untilMs: this.#clock.now() + restMs, reason });
  }
}
