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
