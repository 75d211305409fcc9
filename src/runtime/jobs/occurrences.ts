import { Cron } from 'croner';
import { MINUTE_MS } from '../../model/time.ts';

/** When a cron expression comes true in a time zone. Local times that do not exist are made up for, double ones count once. */
export class Occurrences {
  readonly #cron: Cron;

  constructor(expression: string, timeZone: string) {
    this.#cron = new Cron(expression, { timezone: timeZone, paused: true, mode: '5-part' });
  }

  /** The first after a moment; undefined for an expression such as 31 February. */
  after(timeMs: number): number | undefined {
    return this.#cron.nextRun(new Date(timeMs))?.getTime();
  }

  /** The last at or before a moment. */
  upTo(timeMs: number): number | undefined {
    // Looked for before the next minute begins, because one that is exactly now counts.
    const nextMinute = Math.floor(timeMs / MINUTE_MS) * MINUTE_MS + MINUTE_MS;
    return this.#cron.previousRuns(1, new Date(nextMinute))[0]?.getTime();
  }
}
