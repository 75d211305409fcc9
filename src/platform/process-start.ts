import fs from 'node:fs';
import { systemCode } from '../model/errors.ts';

/** Where the start stands in `/proc/PID/stat`, counted from behind the name. */
const START_FIELD = 19;

/**
 * Tells a process from a later one of the same number. Undefined when there is no such process, and outside Linux, where
 * only another program would say: a process is known by its number and boot there.
 */
export function processStart(pid: number): string | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name may hold spaces and parentheses.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[START_FIELD];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}
