import { setImmediate as nextTurn } from 'node:timers/promises';
import { MnemeError } from '../../model/errors.ts';

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
