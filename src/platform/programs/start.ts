import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import type { Writable } from 'node:stream';
import type { StartOrder } from './frames.ts';

export function startProgram({ command, args, cwd, env, timeoutMs }: StartOrder): ChildProcessWithoutNullStreams {
  return spawn(command, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    ...(timeoutMs === undefined ? {} : { timeout: timeoutMs }),
  });
}

/** Resolves when the stream is ready for more, or closed. */
export async function writeWhenFree(stream: Writable, bytes: Uint8Array): Promise<void> {
  if (!stream.writable || stream.write(bytes)) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      stream.off('drain', done);
      stream.off('close', done);
      resolve();
    };
    stream.on('drain', done);
    stream.on('close', done);
  });
}
