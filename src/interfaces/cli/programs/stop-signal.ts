import type { Cli } from '../cli.ts';

/** Resolves when somebody wants the server to stop. */
export function stopSignal({ io }: Cli): { readonly stopped: Promise<void>; readonly release: () => void } {
  let stop = (): void => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  const releaseInterrupt = io.onInterrupt(stop);
  process.once('SIGTERM', stop);
  return {
    stopped,
    release: () => {
      releaseInterrupt();
      process.off('SIGTERM', stop);
    },
  };
}
