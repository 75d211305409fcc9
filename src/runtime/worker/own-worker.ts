import { errorMessage } from '../../model/errors.ts';
import type { BackgroundWorker } from '../../operations/background/background-worker.ts';
import { hasWaiting } from '../../operations/background/leaves-work.ts';
import type { OperationContext } from '../../operations/context.ts';
import { waitFor } from '../../platform/clock.ts';

/** Lets whoever waits be woken by whoever has work for them; a call that comes before the wait counts. */
export class Wake {
  #called = new AbortController();

  call(): void {
    this.#called.abort();
  }

  /** Until it is called, or time is over, or the signal says so. */
  async wait(milliseconds: number, signal: AbortSignal): Promise<void> {
    await waitFor(milliseconds, AbortSignal.any([signal, this.#called.signal]));
    this.#called = new AbortController();
  }
}

const AFTER_FAILURE_MS = 60_000;

/** Background work that this process does itself, between other things. */
export class OwnWorker implements BackgroundWorker {
  /** A conversation that ends here is learned from before the home is closed. */
  readonly learnsForOthers = false;
  readonly called = new Wake();

  wake(): void {
    this.called.call();
  }

  finish(): void {
    // The loop ends with the home.
  }
}

/** Hooks end conversations and have no time to learn from them; a process that stays has, or starts one that does. */
export async function workInBackground(
  context: OperationContext,
  signal: AbortSignal,
  onProblem: ((message: string) => void) | undefined,
): Promise<void> {
  const { worker } = context;
  if (!(worker instanceof OwnWorker)) {
    if (worker?.learnsForOthers === true && hasWaiting(context)) worker.wake();
    return;
  }
  const { runBackground } = await import('./background-loop.ts');
  while (!signal.aborted) {
    try {
      await runBackground({ context, signal, wake: worker.called, onProblem });
    } catch (error) {
      // A full disk, for one: it ends neither the process nor, for good, the work.
      onProblem?.(`Background work has stopped for a while: ${errorMessage(error)}`);
      await waitFor(AFTER_FAILURE_MS, signal);
    }
  }
}
