/** One machine of `machines.ts`: writes, exchanges its files, holds the lease when it can, and does jobs of the queue. */
import fs from 'node:fs';
import path from 'node:path';
import { openMneme, type Mneme } from '../../src/mneme.ts';
import { isMnemeError } from '../../src/model/errors.ts';
import { ulidTimeMs } from '../../src/model/ids.ts';
import { sync } from '../../src/operations/history/sync.ts';
import type { JobQueue } from '../../src/runtime/coordination/job-queue.ts';
import { openJobQueue } from '../../src/runtime/coordination/open-coordination.ts';
import type { WriterLease } from '../../src/runtime/coordination/writer-lease.ts';

export interface MachineOptions {
  readonly home: string;
  readonly name: string;
  /** Writes of this life; the parent kills most of them earlier. */
  readonly from: number;
  readonly to: number;
  /** Where everything is noted that the parent checks. */
  readonly ledger: string;
}

/** Not one of the daemon's jobs, which would do it. */
export const ERRAND = 'errand';
const SYNC_EVERY = 8;
const JOB_EVERY = 10;

async function runMachine(options: MachineOptions): Promise<void> {
  const mneme = await openMneme({ home: options.home, actor: 'bot:main' });
  const machine = new Machine(options, mneme, openJobQueue(mneme.internals));
  try {
    await machine.live();
  } finally {
    await machine.queue?.close();
    await mneme.close();
  }
}

class Machine {
  readonly queue: JobQueue | undefined;
  readonly #options: MachineOptions;
  readonly #mneme: Mneme;

  constructor(options: MachineOptions, mneme: Mneme, queue: JobQueue | undefined) {
    this.#options = options;
    this.#mneme = mneme;
    this.queue = queue;
  }

  async live(): Promise<void> {
    const { name, from, to } = this.#options;
    for (let number = from; number < to; number += 1) {
      const text = `Fact ${name}-${number} was seen.`;
      const isWriter = (await this.#mneme.internals.writer?.whyNot()) === undefined;
      const before = isWriter ? await this.#fence() : 0;
      // 0: it holds one, but the server was cut off before it said which.
      if (before > 0) this.#note('fences.log', `${before} ${name}`);
      await this.#putOneJob(number);
      const mutation = await this.#write(number, text);
      const fence = isWriter ? before : await this.#fence();
      if (mutation !== undefined && fence > 0) this.#note('writes.log', `${fence} ${ulidTimeMs(mutation)} ${name}`);
      this.#note('acknowledged.log', text);
      if (number % SYNC_EVERY === SYNC_EVERY - 1) await this.#exchange();
      if (isWriter) await this.#doOneJob();
    }
    await this.#exchange();
    this.#note('lives.log', `${name} ${to}`);
  }

  /** The mutation it was; undefined where it became a proposal. */
  async #write(number: number, text: string): Promise<string | undefined> {
    if (number % 3 === 0) {
      const { store, mutation } = await this.#mneme.remember(text);
      return store === 'meta' ? undefined : mutation;
    }
    const { warnings, mutation } = await this.#mneme.append('memory/reference/shared.md', `- ${text}\n`);
    return warnings.some((warning) => warning.includes('waits as proposal')) ? undefined : (mutation ?? undefined);
  }

  /** Every machine finds the same ones due; each is in the queue once. */
  async #putOneJob(number: number): Promise<void> {
    if (number % JOB_EVERY !== 0) return;
    const job = `day-${number / JOB_EVERY}`;
    // The server may have it although this machine dies, or is cut off, before it hears so.
    this.#note('asked.log', job);
    try {
      await this.queue?.add(ERRAND, job);
      this.#note('due.log', job);
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      this.#note('troubles.log', `${this.#options.name} ${error.message}`);
    }
  }

  get #lease(): WriterLease | undefined {
    return this.#mneme.internals.writer as WriterLease | undefined;
  }

  #note(file: string, line: string): void {
    fs.appendFileSync(path.join(this.#options.ledger, file), `${line}\n`);
  }

  async #fence(): Promise<number> {
    try {
      return (await this.#lease?.take())?.fence ?? 0;
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      return 0;
    }
  }

  async #exchange(): Promise<void> {
    try {
      // So that everybody gets their turn.
      await this.#lease?.release();
      await sync.run(this.#mneme.internals, sync.input.parse({}));
    } catch (error) {
      // Others push all the time; what was not sent now is sent next time.
      if (!isMnemeError(error)) throw error;
      this.#note('troubles.log', `${this.#options.name} ${error.message}`);
    }
  }

  /** What it does is a file of its own that cannot be made twice; who is killed in between leaves it to the next. */
  async #doOneJob(): Promise<void> {
    try {
      const taken = await this.queue?.take(ERRAND);
      if (taken === undefined) return;
      const effect = path.join(this.#options.ledger, 'effects', taken.occurrence);
      if (!fs.existsSync(effect)) fs.writeFileSync(effect, this.#options.name, { flag: 'wx' });
      if (await taken.done()) this.#note('done.log', taken.occurrence);
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      this.#note('troubles.log', `${this.#options.name} ${error.message}`);
    }
  }
}

if (import.meta.main) await runMachine(JSON.parse(process.argv[2] ?? '{}') as MachineOptions);
