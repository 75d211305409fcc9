import fs from 'node:fs';
import path from 'node:path';
import type { FileSystem } from '../../../platform/fs.ts';
import { isBusy, StateDatabase } from '../../../platform/sqlite.ts';

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
