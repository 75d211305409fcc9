import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import v8 from 'node:v8';
import { systemCode } from '../model/errors.ts';
import { run } from './process.ts';

/** The inputs for background work: the load of the machine, and its power source. */
export interface Machine {
  /** Processes that want a core, averaged over the last minute; undefined where the system does not say (Windows). */
  load(): number | undefined;
  readonly cores: number;
  /** Seconds of processor time that this process has used. */
  ownCpuSeconds(): number;
  /** Percent left in the battery while the machine runs on it; undefined on mains, and where the system does not say. */
  batteryPercent(): Promise<number | undefined>;
}

export const systemMachine: Machine = {
  load: () => (process.platform === 'win32' ? undefined : os.loadavg()[0]),
  cores: os.availableParallelism(),
  ownCpuSeconds: () => {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  batteryPercent: async () => {
    if (process.platform === 'linux') return readBattery('/sys/class/power_supply');
    return process.platform === 'darwin' ? parsePmset(await askPmset()) : undefined;
  },
};

/** Lets everything else on the machine go first. A system that refuses costs politeness, not the work. */
export function yieldToOthers(): void {
  try {
    os.setPriority(os.constants.priority.PRIORITY_LOW);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
}

/** Linux: a battery of the machine itself that is being discharged, the emptiest if there are several. */
export function readBattery(folder: string): number | undefined {
  const supplies = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
  const percents = supplies.flatMap((supply) => {
    const read = (name: string): string => readLine(path.join(folder, supply, name));
    // A mouse has a battery, too.
    const isOwn = read('type') === 'Battery' && read('scope') !== 'Device';
    const percent = Number.parseInt(read('capacity'), 10);
    return isOwn && read('status') === 'Discharging' && Number.isFinite(percent) ? [percent] : [];
  });
  return percents.length === 0 ? undefined : Math.min(...percents);
}

function readLine(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8').trim();
  } catch (error) {
    // Drivers leave out what they do not know, and some fail when asked.
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}

/** macOS: what `pmset -g batt` prints. */
export function parsePmset(text: string): number | undefined {
  if (!text.includes("'Battery Power'")) return undefined;
  const percent = /(\d+)%/u.exec(text)?.[1];
  return percent === undefined ? undefined : Number(percent);
}

async function askPmset(): Promise<string> {
  try {
    return (await run('pmset', ['-g', 'batt'], { timeoutMs: 2000 })).stdout.toString('utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return '';
  }
}

/**
 * Names this run of the operating system. What was written but not synced is certain to be readable only within one
 * boot; state recorded under another name must be verified against the files.
 */
export function bootId(): string {
  try {
    return fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    // Elsewhere the boot time, coarse enough that the clock's drift does not change it within a boot.
    const bootedMs = Date.now() - os.uptime() * 1000;
    return `boot-${Math.round(bootedMs / 60_000)}`;
  }
}

/** Where the start stands in `/proc/PID/stat`, counted from behind the name. */
const START_FIELD = 19;

/**
 * Distinguishes a process from a later one with the same number. Undefined when there is no such process, and outside Linux, where
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

/** In percent of what was alive at the last collection: how far the heap may grow before the next one. */
const GROWTH_PERCENT = { reading: 30, serving: 60 } as const;

/**
 * Left to itself, V8 lets the heap grow to several times what is in use before anything is collected. For work that reads
 * more than it keeps, such as an import (530 MB instead of 400 for a thousand sessions, at the same speed), and for a
 * server that answers for days and would look as if it leaked (`npm run bench:http`).
 */
export function collectSooner(work: keyof typeof GROWTH_PERCENT): void {
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[work]}`);
}
