import { spawn } from 'node:child_process';
import { assertNoNul } from '../nul.ts';

/**
 * Starts a program that goes on when this one has ended, and waits for nothing: neither for its start nor for its end.
 * It stands in `folder`, because whoever called may want to remove the folder they stand in.
 */
export function startDetached(command: readonly string[], folder: string): void {
  const [program = '', ...args] = command;
  assertNoNul(args);
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    // A debugger's port, for one, belongs to this process.
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  // A program that cannot be started is started by the next who has work for it.
  child.on('error', () => undefined);
  child.unref();
}
