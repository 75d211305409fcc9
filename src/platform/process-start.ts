import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { systemCode } from '../model/errors.ts';

/** Where the start stands in `/proc/PID/stat`, counted from behind the name. */
const START_FIELD = 19;

/**
 * Tells a process from a later one of the same number. Undefined when there is no such process, and on Windows, where
 * only a slow program would say.
 */
export function processStart(pid: number): string | undefined {
  if (process.platform === 'win32') return undefined;
  if (process.platform !== 'linux') {
    const env = { LC_ALL: 'C', TZ: 'UTC' };
    const { stdout } = spawnSync('/bin/ps', ['-o', 'lstart=', '-p', String(pid)], { env, encoding: 'utf8' });
    return stdout.trim() === '' ? undefined : stdout.trim();
  }
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
