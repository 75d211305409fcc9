import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { writeMadeUpModel } from '../../src/encoder/testing/made-up-model.ts';
import { findProgress } from '../../src/operations/background/progress.ts';
import { workerLock } from '../../src/workspace/home-paths.ts';
import { openMneme } from '../../src/mneme.ts';
import { ProcessLock } from '../../src/platform/process-lock.ts';
import type { Status } from '../../src/operations/status.ts';
import { initTestHome, makeTemporaryFolder } from './home.ts';

const BIN = path.resolve(import.meta.dirname, '../../bin/mneme');

/** Set to nothing: as if nobody had set it. */
const WITH_WORKER = { MNEME_WORKER: '' };

/** How the one thing begins that is said in each conversation. */
export const SAID = 'We decided to use the tool';

let model: string | undefined;

/** A home with the encoder of our own, whose worker waits for nothing. */
export class WorkerHome {
  readonly home: string;
  readonly state: string;
  readonly #children: ChildProcess[] = [];

  private constructor(home: string) {
    this.home = home;
    this.state = path.join(home, 'state');
  }

  static async make(settings = ''): Promise<WorkerHome> {
    const made = new WorkerHome(makeTemporaryFolder());
    await initTestHome(made.home);
    model ??= writeMadeUpModel();
    fs.appendFileSync(
      path.join(made.home, 'mneme.yaml'),
      `worker:\n  max_load: 0\n  min_battery_percent: 0\nembedding:\n  provider: builtin\n  builtin:\n    model: ${model}\n${settings}`,
    );
    return made;
  }

  /** A real process; resolves with its exit code and what it said. */
  async run(args: readonly string[], input = '', env: Record<string, string> = WITH_WORKER): Promise<string> {
    const child = this.start(args, env);
    let said = '';
    child.stdout?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stderr?.on('data', (chunk: Buffer) => (said += chunk.toString()));
    child.stdin?.end(input);
    const code = await new Promise<number | null>((resolve) => {
      child.once('close', resolve);
    });
    if (code !== 0) throw new Error(`mneme ${args.join(' ')} ended with ${code}: ${said}`);
    return said;
  }

  start(args: readonly string[], env: Record<string, string> = WITH_WORKER): ChildProcess {
    return this.startProgram([BIN, '--home', this.home, ...args], env);
  }

  startProgram(args: readonly string[], env: Record<string, string> = WITH_WORKER): ChildProcess {
    const child = spawn(process.execPath, [...args], { env: { ...process.env, ...env } });
    this.#children.push(child);
    return child;
  }

  async status(): Promise<Status> {
    return JSON.parse(await this.run(['status', '--json'], '', {})) as Status;
  }

  get isHeld(): boolean {
    return ProcessLock.isHeld(workerLock(this));
  }

  get pid(): number | undefined {
    return this.isHeld ? ProcessLock.findHolder(workerLock(this)) : undefined;
  }

  get progress(): ReturnType<typeof findProgress> {
    return findProgress(this.state);
  }

  /** Lines of the worker's log. */
  get log(): string[] {
    const folder = path.join(this.home, 'logs');
    const files = fs.existsSync(folder) ? fs.readdirSync(folder).filter((name) => name.startsWith('worker-')) : [];
    return files.flatMap((name) => fs.readFileSync(path.join(folder, name), 'utf8').trimEnd().split('\n'));
  }

  /** Conversations that nobody has learned from yet, an hour apart; the last is the newest. */
  async converse(count: number, said: (number: number) => string | undefined = () => undefined): Promise<void> {
    fs.appendFileSync(path.join(this.home, 'mneme.yaml'), 'extract:\n  trigger: manual\n');
    const mneme = await openMneme({ home: this.home });
    for (let number = 1; number <= count; number += 1) {
      const time = new Date(Date.UTC(2026, 0, 1, number)).toISOString();
      const session = await mneme.session.start({ id: `ses_${String(number).padStart(3, '0')}`, user: 'Ines' });
      await session.message('user', said(number) ?? `${SAID} Borax${number} for all our builds.`, { time });
      await session.message('agent', `Noted, number ${number}.`, { time });
      await session.end();
    }
    await mneme.close();
    this.set((yaml) => yaml.replace('trigger: manual', 'trigger: on_session_end'));
  }

  set(change: (yaml: string) => string): void {
    const file = path.join(this.home, 'mneme.yaml');
    fs.writeFileSync(file, change(fs.readFileSync(file, 'utf8')));
  }

  /** Ends what is left of a test, and waits for it: nothing may write into a folder that goes. */
  async end(): Promise<void> {
    for (const child of this.#children) child.kill('SIGKILL');
    fs.rmSync(path.join(this.home, 'mneme.yaml'), { force: true });
    const { pid } = this;
    if (pid !== undefined) process.kill(pid, 'SIGKILL');
    await until('the worker has ended', () => !this.isHeld);
  }
}

export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1200; tries += 1) {
    if (await isSo()) return;
    await new Promise((resolve) => {
      setTimeout(resolve, 50);
    });
  }
  throw new Error(`waited in vain until ${what}`);
}
