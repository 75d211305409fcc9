import fs from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { MnemeError, systemCode } from '../model/errors.ts';
import { explainDiskFailure } from './disk-failure.ts';
import { replaceFile } from './fs.ts';
import { isBusy, isCorrupt } from './sqlite.ts';

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
    try {
      return ProcessLock.#tryTake(file);
    } catch (error) {
      if (!isCorrupt(error)) throw explainDiskFailure(file, error);
      // A lock's file stays empty, so nobody holds one that has something else in it.
      fs.rmSync(file, { force: true });
      return ProcessLock.#tryTake(file);
    }
  }

  static #tryTake(file: string): ProcessLock | undefined {
    let database: DatabaseSync | undefined;
    try {
      fs.mkdirSync(path.dirname(file), { recursive: true });
      assertNoLink(file);
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('BEGIN IMMEDIATE');
      const lock = new ProcessLock(file, database);
      replaceFile(holderFile(file), String(process.pid));
      return lock;
    } catch (error) {
      database?.close();
      if (isBusy(error)) return undefined;
      throw error;
    }
  }

  /** Whether anybody has it now. Looking does not take it from them, and makes no file. */
  static isHeld(file: string): boolean {
    if (!fs.existsSync(file)) return false;
    assertNoLink(file);
    let database: DatabaseSync | undefined;
    try {
      database = new DatabaseSync(file, { timeout: 0 });
      database.exec('BEGIN IMMEDIATE');
      database.exec('ROLLBACK');
      return false;
    } catch (error) {
      if (isBusy(error)) return true;
      if (isCorrupt(error)) return false;
      throw explainDiskFailure(file, error);
    } finally {
      database?.close();
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

/** A home that came from elsewhere may bring links along. */
function assertNoLink(file: string): void {
  if (fs.lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() !== true) return;
  throw new MnemeError('refused', `${file} is a link and cannot be a lock.`, {
    hint: 'Remove the link. Trust no home that you did not make.',
  });
}

function holderFile(file: string): string {
  return `${file}.holder`;
}
