import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Thousands of small repositories; a run leaves about 2 GB. */
const NEEDED_BYTES = 6 * 1024 ** 3;
const MEMORY = '/dev/shm';

/**
 * Gives the run one folder for temporary files, in memory where there is room: homes are made in half the time there.
 * Removing it takes a while, so a process of its own does that when the machine has nothing better to do.
 */
export function setup(): () => void {
  const before = process.env['TMPDIR'];
  // Short: the paths of sockets have a limit.
  const folder = fs.mkdtempSync(path.join(before === undefined && hasRoom(MEMORY) ? MEMORY : os.tmpdir(), 'mt-'));
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    const script = 'os.setPriority(19); fs.rmSync(process.argv[1], { recursive: true, force: true, maxRetries: 3 })';
    spawn(process.execPath, ['-e', script, folder], { detached: true, stdio: 'ignore' }).unref();
  };
}

function hasRoom(folder: string): boolean {
  if (!fs.existsSync(folder)) return false;
  const { bavail, bsize } = fs.statfsSync(folder);
  // Memory that is free counts, not the size the folder may grow to.
  return Math.min(bavail * bsize, os.freemem()) >= NEEDED_BYTES;
}
