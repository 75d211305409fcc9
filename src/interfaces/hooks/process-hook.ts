import { runHook, type HookCall } from './run-hook.ts';

/** Answers a hook on this process's own streams and ends the process, whatever its threads are still doing. */
export async function answerAndExit(call: HookCall): Promise<never> {
  // The caller may have closed the streams; the hook must not fail because of that.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  await runHook(call, {
    input: process.stdin.isTTY ? noInput() : process.stdin,
    out: (text) => write(process.stdout, text),
    err: (text) => write(process.stderr, text),
    elapsedMs: () => performance.now(),
  });
  process.exit(0);
}

async function* noInput(): AsyncGenerator<Uint8Array> {
  // On a terminal nobody will ever end the input.
}

/** Resolved by the stream's own callback, since `process.exit` does not wait for what is still on its way. */
function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}
