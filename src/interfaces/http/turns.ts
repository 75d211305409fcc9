import type { CallQueue } from '../mcp/call-queue.ts';
import { HttpProblem } from './problem.ts';

/** More than this many waiting would wait longer than anybody does. */
const MAX_WAITING = 200;
/** Calls that take minutes must not delay questions; two at a time do not starve one another. */
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
