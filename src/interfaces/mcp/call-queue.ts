import { setImmediate as nextTurn } from 'node:timers/promises';
import { MnemeError } from '../../model/errors.ts';
import { MINUTE_MS } from '../../model/time.ts';
import type { Clock } from '../../platform/clock.ts';

/** Searching is work for the processor: more at once would only make every one of them later. */
const MAX_AT_ONCE = 4;

/** Calls take turns, so that one cancelled while it waits never starts. */
export class CallQueue {
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  async run<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    await this.#takeTurn(signal);
    try {
      // A cancellation that arrived together with the call is heard first.
      await nextTurn();
      signal.throwIfAborted();
      return await body();
    } finally {
      this.#passTurn();
    }
  }

  async #takeTurn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#running >= MAX_AT_ONCE) await this.#wait(signal);
    else this.#running += 1;
  }

  /** Handed on directly: nobody who comes meanwhile slips in before those who wait. */
  #passTurn(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#running -= 1;
    else next();
  }

  #wait(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const start = (): void => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(start), 1);
        reject(signal.reason as Error);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.push(start);
    });
  }
}

const LOOK_FIRST =
  'Look before you write the same again: a write that had begun is finished. The limit is server.timeout_ms.';

/**
 * Runs a call until its time is up; then it is answered, and if it has not begun it never does. The work itself is not
 * torn down: a write is done or not done, never half.
 */
export async function withinTime<T>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  body: (signal: AbortSignal) => Promise<T>,
  complain = (message: string, hint: string): Error => new MnemeError('failure', message, { hint }),
): Promise<T> {
  if (timeoutMs === undefined) return body(signal);
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const late = complain(`It took longer than ${timeoutMs / 1000} s and was not waited for.`, LOOK_FIRST);
      limit.abort(late);
      reject(late);
    }, timeoutMs);
  });
  try {
    return await Promise.race([body(AbortSignal.any([signal, limit.signal])), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

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
