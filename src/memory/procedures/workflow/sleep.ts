import type { Sleep } from './perform.ts';

/** Timers hold no more; a longer wait would end at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

export const sleepUntilAborted: Sleep = (milliseconds, signal) =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
      return;
    }
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, Math.min(milliseconds, MAX_TIMER_MS));
    signal.addEventListener('abort', finish, { once: true });
  });
