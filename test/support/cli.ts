import path from 'node:path';
import { runCli } from '../../src/interfaces/cli/run.ts';
import type { Environment, LogPlaces } from '../../src/platform/environment.ts';
import { initTestHome, makeTemporaryFolder } from './home.ts';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

export interface TestCliOptions {
  /** What the person types, question after question; given, there is a terminal. */
  readonly answers?: readonly string[] | undefined;
  /** Where logs of other programs are; this machine's own are never looked at. */
  readonly logPlaces?: LogPlaces | undefined;
  /** Presses Ctrl-C as soon as a command listens for it. */
  readonly isInterrupted?: boolean | undefined;
  /** Presses Ctrl-C as soon as the progress says this. */
  readonly interruptAt?: RegExp | undefined;
}

/** The CLI in process, as somebody at a shell would run it; without a terminal unless there are answers. */
export class TestCli {
  readonly environment: Environment;
  readonly #options: TestCliOptions;

  constructor(home = path.join(makeTemporaryFolder(), 'home'), options: TestCliOptions = {}) {
    const { logPlaces } = options;
    this.environment = { home, actor: undefined, editor: 'false', timeZone: 'UTC', wantsColor: false, logPlaces };
    this.#options = options;
  }

  get home(): string {
    return this.environment.home;
  }

  /** Makes the home, as `init --yes` does. */
  init(): Promise<void> {
    return initTestHome(this.home);
  }

  async run(args: readonly string[], input = ''): Promise<CliResult> {
    let out = '';
    let err = '';
    let interrupt = (): void => undefined;
    const answers = [...(this.#options.answers ?? [])];
    const code = await runCli(args, this.environment, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
        if (this.#options.interruptAt?.test(text) === true) interrupt();
      },
      readInput: () => Promise.resolve(input),
      ask: (question) => {
        const answer = answers.shift();
        out += `${question}${answer ?? ''}\n`;
        return Promise.resolve(answer);
      },
      askSecret: (question) => {
        out += `${question}\n`;
        return Promise.resolve(answers.shift());
      },
      onInterrupt: (handler) => {
        interrupt = handler;
        if (this.#options.isInterrupted === true) handler();
        return () => undefined;
      },
      isTerminal: this.#options.answers !== undefined,
      wantsColor: false,
      columns: 100,
    });
    return { code, out, err };
  }

  /** Runs a command that must succeed. */
  async ok(...args: string[]): Promise<string> {
    const { code, out, err } = await this.run(args);
    if (code !== 0) throw new Error(`mneme ${args.join(' ')} ended with ${code}:\n${err}${out}`);
    return out;
  }

  async json<T = Record<string, unknown>>(...args: string[]): Promise<T> {
    return JSON.parse(await this.ok(...args, '--json')) as T;
  }
}
