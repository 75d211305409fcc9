import os from 'node:os';

/** Time as the rest of the system sees it; tests pass their own. */
export interface Clock {
  /** UTC milliseconds. */
  now(): number;
}

export const systemClock: Clock = { now: () => Date.now() };

export function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

const start = { awakeMs: performance.now(), upMs: os.uptime() * 1000 };

/**
 * Milliseconds since the process began, never put back. A computer that slept has been asleep for all of them: the
 * monotonic clock of some systems stands still meanwhile, the time since boot does not.
 */
export function elapsedMs(): number {
  return Math.max(performance.now() - start.awakeMs, os.uptime() * 1000 - start.upMs);
}

/** Longer than a timer can wait at once; whoever asks for more is woken by the signal. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** Resolves after a time, or at once when the signal says so. */
export function waitFor(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(milliseconds, LONGEST_TIMER_MS));
    signal.addEventListener('abort', finish, { once: true });
  });
}
