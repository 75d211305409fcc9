import path from 'node:path';
import { runCli } from '../../src/interfaces/cli/run.ts';
import type { Environment } from '../../src/platform/environment.ts';
import { makeTemporaryFolder } from './home.ts';

export interface CliResult {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** The CLI in process, as somebody at a shell without a terminal would run it. */
export class TestCli {
  readonly environment: Environment;

  constructor(home = path.join(makeTemporaryFolder(), 'home')) {
    this.environment = { home, actor: undefined, editor: 'false', timeZone: 'UTC', wantsColor: false };
  }

  get home(): string {
    return this.environment.home;
  }

  async run(args: readonly string[], input = ''): Promise<CliResult> {
    let out = '';
    let err = '';
    const code = await runCli(args, this.environment, {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      readInput: () => Promise.resolve(input),
      isTerminal: false,
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
