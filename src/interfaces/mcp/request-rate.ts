import type { Clock } from '../../platform/clock.ts';
import { MINUTE_MS } from '../../model/time.ts';

/** Guests go by their address, of which there is no end. */
const MAX_CLIENTS = 1000;

interface Allowance {
  left: number;
  countedMs: number;
}

/** Limits the requests of each client: a minute's worth at once, then as fast as the minute allows. */
export class RequestRate {
  readonly #perMinute: number;
  readonly #clock: Clock;
  readonly #allowances = new Map<string, Allowance>();

  /** 0: no limit. */
  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** Undefined when the client may go on; otherwise after how many seconds it should try again. */
  take(client: string): number | undefined {
    if (this.#perMinute === 0) return undefined;
    const nowMs = this.#clock.now();
    const allowance = this.#allowances.get(client) ?? { left: this.#perMinute, countedMs: nowMs };
    if (this.#allowances.size >= MAX_CLIENTS) this.#forgetRested(nowMs);
    this.#allowances.set(client, allowance);
    // A clock that was set back gives nothing, and takes nothing away.
    const earned = (Math.max(0, nowMs - allowance.countedMs) / MINUTE_MS) * this.#perMinute;
    allowance.left = Math.min(this.#perMinute, allowance.left + earned);
    allowance.countedMs = nowMs;
    if (allowance.left >= 1) {
      allowance.left -= 1;
      return undefined;
    }
    return Math.max(1, Math.ceil(((1 - allowance.left) * MINUTE_MS) / this.#perMinute / 1000));
  }

  /** Drops clients that were idle for a minute: their whole allowance is restored anyway. */
  #forgetRested(nowMs: number): void {
    for (const [client, { countedMs }] of this.#allowances) {
      if (nowMs - countedMs >= MINUTE_MS) this.#allowances.delete(client);
    }
  }
}
