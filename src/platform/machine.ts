import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
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
