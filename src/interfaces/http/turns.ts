import type { CallQueue } from '../mcp/call-queue.ts';
import { HttpProblem } from './problem.ts';

/** More than this many waiting would wait longer than anybody does. */
const MAX_WAITING = 200;
/** What takes minutes must not keep questions waiting; two at a time do not starve one another. */
const MAX_LONG = 2;

/** Calls take turns; where too many wait already, the next is told so at once. */
export class Turns {
  readonly #calls: CallQueue;
  #waiting = 0;
  #long = 0;

  constructor(calls: CallQueue) {
    this.#calls = calls;
  }

  get inFlight(): number {
    return this.#waiting + this.#long;
  }

  async run<T>(signal: AbortSignal, body: () => Promise<T>): Promise<T> {
    if (this.#waiting >= MAX_WAITING) throw busy('Too many requests are waiting.');
    this.#waiting += 1;
    try {
      return await this.#calls.run(signal, body);
    } finally {
      this.#waiting -= 1;
    }
  }

  async runLong<T>(body: () => Promise<T>): Promise<T> {
    if (this.#long >= MAX_LONG) throw busy('Two long pieces of work are under way already.');
    this.#long += 1;
    try {
      return await body();
    } finally {
      this.#long -= 1;
    }
  }
}

function busy(message: string): HttpProblem {
  return new HttpProblem('busy', message, { hint: 'Try again in a moment.', headers: { 'retry-after': '1' } });
}

/**
 * Answers when the time is up, at the latest. The work is not torn down: a write is done or not done, never half; what
 * has not begun never does.
 */
export async function withinTime<T>(
  timeoutMs: number,
  gone: AbortSignal,
  body: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new HttpProblem('timeout', `It took longer than ${timeoutMs / 1000} s and was not waited for.`, {
    hint: 'Look before you write the same again: a write that had begun is finished. The limit is server.timeout_ms.',
  });
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      limit.abort(late);
      reject(late);
    }, timeoutMs);
  });
  try {
    return await Promise.race([body(AbortSignal.any([gone, limit.signal])), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
