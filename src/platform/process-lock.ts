import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { systemCode } from '../model/errors.ts';
import { explainDiskFailure } from './disk-failure.ts';
import { isBusy } from './sqlite.ts';

/**
 * A lock that a process holds for as long as it likes and loses only by ending: a transaction left open on a file of its
 * own. No clock is involved, so a machine that slept, or whose time was put back, keeps it.
 */
export class ProcessLock {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #inode: number;

  private constructor(file: string, database: DatabaseSync) {
    this.#file = file;
    this.#database = database;
    this.#inode = fs.statSync(file).ino;
  }

  /** Undefined when another process, or another part of this one, has it. */
  static tryTake(file: string): ProcessLock | undefined {
    let database: DatabaseSync | undefined;
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('BEGIN IMMEDIATE');
      const lock = new ProcessLock(file, database);
      fs.writeFileSync(holderFile(file), String(process.pid));
      return lock;
    } catch (error) {
      database?.close();
      if (isBusy(error)) return undefined;
      throw explainDiskFailure(file, error);
    }
  }

  /** Whether anybody has it now. Looking does not take it from them, and makes no file. */
  static isHeld(file: string): boolean {
    if (!fs.existsSync(file)) return false;
    const database = new DatabaseSync(file, { timeout: 0 });
    try {
      database.exec('BEGIN IMMEDIATE');
      database.exec('ROLLBACK');
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      throw explainDiskFailure(file, error);
    } finally {
      database.close();
    }
  }

  /** The process that took it last; tells who has it only while `isHeld`. */
  static findHolder(file: string): number | undefined {
    try {
      const pid = Number(fs.readFileSync(holderFile(file), 'utf8'));
      return Number.isInteger(pid) && pid > 0 ? pid : undefined;
    } catch (error) {
      if (systemCode(error) === undefined) throw error;
      return undefined;
    }
  }

  /** False once the file was deleted or made anew: then it keeps nobody out any more. */
  isValid(): boolean {
    return fs.statSync(this.#file, { throwIfNoEntry: false })?.ino === this.#inode;
  }

  release(): void {
    if (!this.#database.isOpen) return;
    this.#database.exec('ROLLBACK');
    this.#database.close();
  }
}

function holderFile(file: string): string {
  return `${file}.holder`;
}
