import fs from 'node:fs';
import { MnemeError, systemCode } from '../model/errors.ts';
import { sleep, type Clock } from '../platform/clock.ts';
import { explainDiskFailure, sqliteCode } from '../platform/disk-failure.ts';
import type { Random } from '../platform/random.ts';
import { isBusy, type Database } from '../platform/sqlite.ts';

export interface LockTools {
  readonly clock: Clock;
  readonly random: Random;
}

/** Long enough for the slowest batch on a slow disk; past it something is stuck and the caller should hear of it. */
const LOCK_TIMEOUT_MS = 20_000;

/** Holders within this process queue up here: SQLite's lock is the connection's, not the caller's. */
const queues = new WeakMap<Database, Promise<unknown>>();

/**
 * A lock between processes: SQLite's write lock, taken by BEGIN IMMEDIATE. The system releases it when its holder
 * dies, at any instant, and waiting is done here rather than in SQLite because that would block the event loop.
 */
export function holdLock<T>(database: Database, what: string, tools: LockTools, body: () => Promise<T>): Promise<T> {
  const turn = (queues.get(database) ?? Promise.resolve()).then(() => holdAlone(database, what, tools, body));
  queues.set(
    database,
    turn.catch(() => undefined),
  );
  return turn;
}

async function holdAlone<T>(database: Database, what: string, tools: LockTools, body: () => Promise<T>): Promise<T> {
  const startedMs = tools.clock.now();
  while (!tryBegin(database)) {
    if (tools.clock.now() - startedMs > LOCK_TIMEOUT_MS) throw lockedError(database, what);
    // Jitter keeps several waiting processes from meeting again and again.
    await sleep(0.5 + tools.random.number() * 4);
  }
  writeHolder(database);
  try {
    const result = await body();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw explainRefusal(database, error);
  }
}

function lockedError(database: Database, what: string): MnemeError {
  const holder = findHolder(database);
  const who = holder === undefined ? 'Another process' : `Process ${holder}`;
  return new MnemeError('locked', `${who} has held the ${what} lock for ${LOCK_TIMEOUT_MS / 1000} s.`, {
    hint: `${holder === undefined ? 'Look for a stopped mneme process' : 'See whether it is stopped or stuck'} and end it; nothing is lost by that.`,
  });
}

/** Beside the database, because nobody sees what a transaction writes before it ends. */
function holderFile(database: Database): string | undefined {
  const file = database.location();
  return file === null ? undefined : `${file}.holder`;
}

/** Wide enough for any process number: the file is written over in place, never made shorter. */
const HOLDER_WIDTH = 12;

/**
 * Written before anything can go wrong: a process that was stopped cannot say who it is any more. Over what stands there:
 * a file that is emptied first may be flushed by the file system when it is closed, which a write would wait for.
 */
function writeHolder(database: Database): void {
  const file = holderFile(database);
  if (file === undefined) return;
  try {
    const descriptor = fs.openSync(file, fs.constants.O_WRONLY | fs.constants.O_CREAT);
    try {
      fs.writeSync(descriptor, String(process.pid).padEnd(HOLDER_WIDTH), 0);
    } finally {
      fs.closeSync(descriptor);
    }
  } catch (error) {
    // state/ may be deleted or full at any time; the lock holds all the same, and its holder stays unnamed.
    if (systemCode(error) === undefined) throw error;
  }
}

/** The process that took the lock last, if it still lives. */
function findHolder(database: Database): number | undefined {
  const file = holderFile(database);
  try {
    const pid = file === undefined ? 0 : Number(fs.readFileSync(file, 'utf8'));
    if (!Number.isInteger(pid) || pid <= 0) return undefined;
    process.kill(pid, 0);
    return pid;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function tryBegin(database: Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw explainRefusal(database, error);
  }
}

/** The lock's own table is written under the lock: a full disk may show only here. */
function explainRefusal(database: Database, error: unknown): unknown {
  const file = database.location();
  return file === null || sqliteCode(error) === undefined ? error : explainDiskFailure(file, error);
}
