import { MnemeError } from '../model/errors.ts';
import { sleep, type Clock } from '../platform/clock.ts';
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
    if (tools.clock.now() - startedMs > LOCK_TIMEOUT_MS) {
      throw new MnemeError('locked', `Another process has held the ${what} lock for ${LOCK_TIMEOUT_MS / 1000} s.`, {
        hint: 'Look for a stopped mneme process (`mneme status` names it) and end it; nothing is lost by that.',
      });
    }
    // Jitter keeps several waiting processes from meeting again and again.
    await sleep(0.5 + tools.random.number() * 4);
  }
  try {
    const result = await body();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function tryBegin(database: Database): boolean {
  try {
    database.exec('BEGIN IMMEDIATE');
    return true;
  } catch (error) {
    if (isBusy(error)) return false;
    throw error;
  }
}
