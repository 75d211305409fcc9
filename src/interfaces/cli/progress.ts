import type { Progress } from '../../operations/command-line/style.ts';
import type { Cli, GlobalOptions } from './cli.ts';

/** More often than this nobody can read it. */
const REFRESH_MS = 80;

/** One line on standard error that says how far long work has come; silent where nobody watches. */
export class ProgressLine {
  readonly #cli: Cli;
  readonly #isShown: boolean;
  #shownAtMs = -Infinity;

  constructor(cli: Cli, options: GlobalOptions) {
    this.#cli = cli;
    this.#isShown = cli.io.isTerminal && options.json !== true;
  }

  show(text: string): void {
    if (!this.#isShown || performance.now() - this.#shownAtMs < REFRESH_MS) return;
    this.#shownAtMs = performance.now();
    const { io, style } = this.#cli;
    io.err(`\r\u001B[2K${style.dim(text.slice(0, Math.max(20, io.columns - 1)))}`);
  }

  /** Before anything else is printed. */
  clear(): void {
    if (this.#shownAtMs === -Infinity) return;
    this.#shownAtMs = -Infinity;
    this.#cli.io.err('\r\u001B[2K');
  }
}

/** Joins what long work may do at a terminal. */
export function progressOf(cli: Cli, options: GlobalOptions, line: ProgressLine, signal: AbortSignal): Progress {
  const isJson = options.json === true;
  const say = (text: string): void => {
    line.clear();
    cli.io.out(text);
  };
  const ask = (question: string): Promise<string | undefined> => {
    line.clear();
    return cli.io.ask(question);
  };
  return {
    signal,
    report: (text) => line.show(text),
    say: isJson ? undefined : say,
    ask: isJson || !cli.io.isTerminal ? undefined : ask,
  };
}

/** Runs work that Ctrl-C stops at its next safe place instead of anywhere. */
export async function untilInterrupted<T>(cli: Cli, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  const release = cli.io.onInterrupt(() => controller.abort());
  try {
    return await work(controller.signal);
  } finally {
    release();
  }
}
