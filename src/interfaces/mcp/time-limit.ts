import { MnemeError } from '../../model/errors.ts';

const LOOK_FIRST =
  'Look before you write the same again: a write that had begun is finished. The limit is server.timeout_ms.';

/**
 * Runs a call until its time is up; then it is answered, and if it has not begun it never does. The work itself is not
 * torn down: a write is done or not done, never half.
 */
export async function withinTime<T>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  body: (signal: AbortSignal) => Promise<T>,
  complain = (message: string, hint: string): Error => new MnemeError('failure', message, { hint }),
): Promise<T> {
  if (timeoutMs === undefined) return body(signal);
  const limit = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const timedOut = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      const late = complain(`It took longer than ${timeoutMs / 1000} s and was not waited for.`, LOOK_FIRST);
      limit.abort(late);
      reject(late);
    }, timeoutMs);
  });
  try {
    return await Promise.race([body(AbortSignal.any([signal, limit.signal])), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}
