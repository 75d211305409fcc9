import type { Clock } from '../../platform/clock.ts';
import type { Heartbeat } from './heartbeat.ts';

/** The content of a sign of life. */
export class Vitals {
  readonly #clock: Clock;
  readonly #version: string;
  readonly #started: string;
  #job: string | null = null;
  #progress: string | null = null;
  #jobsDone = 0;
  #jobsFailed = 0;
  #problems = 0;
  #lastProblem: string | null = null;

  constructor(clock: Clock, version: string) {
    this.#clock = clock;
    this.#version = version;
    this.#started = new Date(clock.now()).toISOString();
  }

  begin(job: string): void {
    this.#job = job;
    this.#progress = null;
  }

  progressed(text: string): void {
    this.#progress = text;
  }

  end(state: 'done' | 'failed' | 'stopped'): void {
    this.#job = null;
    this.#progress = null;
    if (state === 'done') this.#jobsDone += 1;
    if (state === 'failed') this.#jobsFailed += 1;
  }

  noteProblem(message: string): void {
    this.#problems += 1;
    this.#lastProblem = message;
  }

  describe(intervalSeconds: number): Heartbeat {
    const { user, system } = process.cpuUsage();
    return {
      pid: process.pid,
      version: this.#version,
      started: this.#started,
      beat: new Date(this.#clock.now()).toISOString(),
      intervalSeconds,
      job: this.#job,
      progress: this.#progress,
      metrics: {
        jobsDone: this.#jobsDone,
        jobsFailed: this.#jobsFailed,
        problems: this.#problems,
        rssMb: Math.round(process.memoryUsage.rss() / 1_000_000),
        cpuSeconds: Math.round((user + system) / 1_000_000),
      },
      lastProblem: this.#lastProblem,
    };
  }
}
