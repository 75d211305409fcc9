import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Everything a run leaves in the folder for temporary files goes with the run. Thousands of small repositories take a
 * while to remove: a process of its own does that, when the machine has nothing better to do.
 */
export function setup(): () => void {
  const before = process.env['TMPDIR'];
  // Short: the paths of sockets have a limit.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mt-'));
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const script = 'os.setPriority(19); fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 3 })';
    spawn(process.execPath, ['-e', script, folder], { detached: true, stdio: 'ignore' }).unref();
  };
}
