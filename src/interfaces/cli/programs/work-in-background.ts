import { Mneme } from '../../../mneme.ts';
import { systemClock } from '../../../platform/clock.ts';
import { assertHistoryExists } from '../../../operations/history/missing.ts';
import { runWorker } from '../../../runtime/worker/worker.ts';
import { findPackageFile } from '../version.ts';

/** The actor for unrequested writes; learned statements are written in the extractors' names. */
const WORKER_ACTOR = 'system:worker';

export async function doBackgroundWork(home: string): Promise<never> {
  const stop = new AbortController();
  const onTerminate = (): void => stop.abort();
  process.on('SIGTERM', onTerminate);
  try {
    await assertHistoryExists(home);
    await runWorker(
      {
        home,
        open: async () => {
          const mneme = await Mneme.open({ home, actor: WORKER_ACTOR });
          return { context: mneme.internals, close: () => mneme.close() };
        },
        programFile: findPackageFile(),
        clock: systemClock,
      },
      stop.signal,
    );
  } finally {
    process.off('SIGTERM', onTerminate);
  }
  // A home that went away is left open.
  process.exit(0);
}
