import fs from 'node:fs';
import { systemCode } from '../../src/model/errors.ts';

const TICK_MS = 10;

/** CPU time of this process and of what it started. Only Linux tells of the latter; elsewhere it is left out throughout. */
export class CpuMeter {
  #living: readonly string[] = [];

  /** Looks who of our children is there to stay: one of them starts git for us. Takes long, so not while measuring. */
  lookAround(): void {
    if (process.platform !== 'linux') return;
    const pids = fs.readdirSync('/proc').filter((name) => /^\d+$/u.test(name));
    this.#living = pids.filter((pid) => Number(statOf(pid)?.[1]) === process.pid);
  }

  readMs(): number {
    const { user, system } = process.cpuUsage();
    if (process.platform !== 'linux') return (user + system) / 1000;
    const ended = ticks(statOf('self'), [13, 14]);
    const living = this.#living.reduce((sum, pid) => sum + ticks(statOf(pid), [11, 12, 13, 14]), 0);
    return (user + system) / 1000 + (ended + living) * TICK_MS;
  }
}

/** The fields after the name: state, parent, … own ticks at 11 and 12, those of children it has waited for at 13 and 14. */
function statOf(pid: string): readonly string[] | undefined {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}

function ticks(fields: readonly string[] | undefined, at: readonly number[]): number {
  return at.reduce((sum, index) => sum + Number(fields?.[index] ?? 0), 0);
}
