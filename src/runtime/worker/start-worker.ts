import type { Config } from '../../model/config/schema.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import { startDetached } from '../../platform/programs/detached.ts';
import { type BackgroundWorker, isWorkerAllowed } from '../../operations/background/background-worker.ts';
import { findPause } from '../../operations/background/pause.ts';
import { type HomePaths, daemonLock, workerLock } from '../../workspace/home-paths.ts';

/** A home, as far as it matters to whether a worker may be started on it. */
export interface WorkerHome {
  readonly paths: Pick<HomePaths, 'home' | 'journal' | 'state'>;
  readonly config: Pick<Config, 'worker'>;
  readonly clock: Clock;
}

/**
 * Starts the worker of a home, unless one lives, a daemon does its work, or the user wants none now. Takes a few
 * milliseconds and waits for nothing. `command` starts Mneme itself.
 */
export function startWorker({ paths, config, clock }: WorkerHome, command: readonly string[]): boolean {
  if (!isWorkerAllowed(config) || findPause(paths.journal, clock) !== undefined) return false;
  try {
    if (ProcessLock.isHeld(workerLock(paths)) || ProcessLock.isHeld(daemonLock(paths))) return false;
  } catch (error) {
    // A lock that cannot be looked at is `mneme check setup`'s to explain; the command that has just succeeded did succeed.
    if (!isMnemeError(error)) throw error;
    return false;
  }
  startDetached([...command, '--home', paths.home, 'daemon', 'worker'], paths.home);
  return true;
}

/** A write seldom comes alone. */
const GATHER_MS = 1000;

/** Starts the worker for an open home: soon, in a process that stays; otherwise when the home was closed. */
export class WorkerStarter implements BackgroundWorker {
  readonly learnsForOthers: boolean;
  readonly #home: WorkerHome;
  readonly #command: readonly string[];
  #isWanted = false;
  #timer: NodeJS.Timeout | undefined;

  constructor(home: WorkerHome, command: readonly string[], stays: boolean) {
    this.#home = home;
    this.#command = command;
    this.learnsForOthers = stays;
  }

  wake(): void {
    this.#isWanted = true;
    if (!this.learnsForOthers) return;
    this.#timer ??= setTimeout(() => this.finish(), GATHER_MS).unref();
  }

  finish(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (!this.#isWanted) return;
    this.#isWanted = false;
    startWorker(this.#home, this.#command);
  }
}
