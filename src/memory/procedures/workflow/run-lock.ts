import { AsyncLocalStorage } from 'node:async_hooks';
import fs from 'node:fs';
import path from 'node:path';
import type { FileSystem } from '../../../platform/fs.ts';
import { isBusy, StateDatabase } from '../../../platform/sqlite.ts';
import type { Priority } from './plan.ts';

const SCHEMA = 'CREATE TABLE IF NOT EXISTS run (id INTEGER)';

function fileOf(stateFolder: string, run: string): string {
  return path.join(stateFolder, 'runs', `${run}.db`);
}

/** A run has one driver at a time, in whatever process; the system frees the lock when that process dies. */
export class RunLock {
  readonly #database: StateDatabase;
  readonly #file: string;
  #isReleased = false;

  private constructor(database: StateDatabase, file: string) {
    this.#database = database;
    this.#file = file;
  }

  /** Makes no file only to look. */
  static isTaken(stateFolder: string, run: string): boolean {
    if (!fs.existsSync(fileOf(stateFolder, run))) return false;
    const lock = RunLock.tryTake(stateFolder, run);
    lock?.release();
    return lock === undefined;
  }

  /** undefined while somebody else drives the run. */
  static tryTake(stateFolder: string, run: string): RunLock | undefined {
    const file = fileOf(stateFolder, run);
    const database = new StateDatabase(file, SCHEMA);
    try {
      database.connection.exec('BEGIN IMMEDIATE');
      return new RunLock(database, file);
    } catch (error) {
      database.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /** Letting go again does nothing more. */
  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    if (this.#database.connection.isTransaction) this.#database.connection.exec('ROLLBACK');
    this.#database.close();
  }

  /** The run is over; whoever asks from now on sees that in its record. */
  remove(files: FileSystem): void {
    this.release();
    for (const suffix of ['', '-wal', '-shm']) files.remove(this.#file + suffix);
  }
}

const ORDER: readonly Priority[] = ['low', 'medium', 'high', 'critical'];

interface Waiting {
  readonly priority: Priority;
  readonly begin: () => void;
}

/**
 * Admits runs in this process: so many at once, the more urgent first, in order of arrival among equals. While
 * something critical runs, everything else waits between two of its steps.
 */
export class RunQueue {
  readonly #maxAtOnce: number;
  readonly #waiting: Waiting[] = [];
  readonly #inside = new AsyncLocalStorage<true>();
  #running = 0;
  #critical = 0;
  #standingBack: (() => void)[] = [];

  constructor(maxAtOnce: number) {
    this.#maxAtOnce = maxAtOnce;
  }

  async run<T>(priority: Priority, body: (standBack: () => Promise<void>) => Promise<T>): Promise<T> {
    // Actions started by a run are part of it: waiting for its own place would never end.
    if (this.#inside.getStore() === true) return body(() => Promise.resolve());
    await this.#enter(priority);
    try {
      return await this.#inside.run(true, () => body(() => this.#standBack(priority)));
    } finally {
      this.#leave(priority);
    }
  }

  async #enter(priority: Priority): Promise<void> {
    // Critical runs do not wait for a place: those who have one stand back for them.
    if (priority === 'critical') this.#critical += 1;
    if (priority === 'critical' || this.#running < this.#maxAtOnce) {
      this.#running += 1;
      return;
    }
    // The caller that admits a waiting run counts it, so that no run arriving in between takes its place.
    await new Promise<void>((resolve) => {
      this.#waiting.push({ priority, begin: resolve });
    });
  }

  async #standBack(priority: Priority): Promise<void> {
    if (priority === 'critical') return;
    while (this.#critical > 0) {
      await new Promise<void>((resolve) => {
        this.#standingBack.push(resolve);
      });
    }
  }

  #leave(priority: Priority): void {
    this.#running -= 1;
    if (priority === 'critical') this.#critical -= 1;
    if (this.#critical === 0) {
      const resumed = this.#standingBack;
      this.#standingBack = [];
      for (const resume of resumed) resume();
    }
    const next = this.#running < this.#maxAtOnce ? this.#takeNext() : undefined;
    if (next === undefined) return;
    this.#running += 1;
    next.begin();
  }

  #takeNext(): Waiting | undefined {
    let best = -1;
    for (const [index, { priority }] of this.#waiting.entries()) {
      const known = this.#waiting[best];
      if (known === undefined || ORDER.indexOf(priority) > ORDER.indexOf(known.priority)) best = index;
    }
    return best === -1 ? undefined : this.#waiting.splice(best, 1)[0];
  }
}
