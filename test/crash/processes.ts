import { spawn, type ChildProcess } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { readLedger, type LedgerEntry } from './ledger.ts';
import type { PersonOptions } from './person.ts';
import type { WorkerOptions } from './worker.ts';
import type { WriterOptions } from './writer.ts';

/** A process of the crash test, its standard output kept in a file. */
export class Participant {
  readonly #child: ChildProcess;
  readonly #ledger: string;
  readonly #said: string;
  readonly #exit: Promise<void>;

  constructor(script: 'worker.ts' | 'person.ts' | 'writer.ts', options: WorkerOptions | PersonOptions | WriterOptions) {
    const folder = path.join(options.home, 'logs');
    fs.mkdirSync(folder, { recursive: true });
    this.#ledger = path.join(folder, `${options.name}.jsonl`);
    this.#said = path.join(folder, `${options.name}.err`);
    const [stdout, stderr] = [this.#ledger, this.#said].map((file) => fs.openSync(file, 'a'));
    const file = path.join(import.meta.dirname, script);
    // A process group of its own, so that its git children can be killed with it.
    this.#child = spawn(process.execPath, [file, JSON.stringify(options)], {
      stdio: ['ignore', stdout, stderr],
      detached: true,
    });
    for (const descriptor of [stdout, stderr]) if (descriptor !== undefined) fs.closeSync(descriptor);
    this.#exit = new Promise((resolve, reject) => {
      this.#child.on('error', reject);
      this.#child.on('exit', () => resolve());
    });
  }

  /** Resolves when the process has said that it is ready, or has ended. */
  async ready(): Promise<void> {
    while (this.#child.exitCode === null && this.#child.signalCode === null) {
      if (fs.statSync(this.#ledger).size > 0) return;
      await new Promise((resolve) => {
        setTimeout(resolve, 5);
      });
    }
  }

  kill(target: 'process' | 'group'): void {
    const { pid } = this.#child;
    if (pid === undefined || this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    process.kill(target === 'group' ? -pid : pid, 'SIGKILL');
  }

  /** Waits for the end by SIGKILL; any other end of a worker is a failure of its own. */
  async killed(): Promise<void> {
    await this.#exit;
    if (this.#child.signalCode !== 'SIGKILL') throw this.#failure();
  }

  async finished(): Promise<void> {
    await this.#exit;
    if (this.#child.exitCode !== 0) throw this.#failure();
  }

  async leave(): Promise<void> {
    this.#child.kill('SIGTERM');
    await this.finished();
  }

  entries(): LedgerEntry[] {
    return readLedger(this.#ledger);
  }

  #failure(): Error {
    const how = this.#child.signalCode ?? `exit ${this.#child.exitCode}`;
    return new Error(`${path.basename(this.#ledger)} ended by ${how}:\n${fs.readFileSync(this.#said, 'utf8')}`);
  }
}
