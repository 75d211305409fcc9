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
    signal.addEventListener('abort', finish);
  });
}
