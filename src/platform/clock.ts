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
