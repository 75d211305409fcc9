import { describe, expect, it } from 'vitest';
import { defaultConfig } from '../../model/config/schema.ts';
import type { Machine } from '../../platform/machine.ts';
import { Pace } from './background-loop.ts';

class MadeUpMachine implements Machine {
  readonly cores = 4;
  now = 0;
  loadNow: number | undefined = 0;
  cpuSeconds = 0;
  battery: number | undefined;
  asked = 0;

  load(): number | undefined {
    return this.loadNow;
  }

  ownCpuSeconds(): number {
    return this.cpuSeconds;
  }

  async batteryPercent(): Promise<number | undefined> {
    this.asked += 1;
    return this.battery;
  }
}

const SETTINGS = { ...defaultConfig().worker, max_load: 0.8, min_battery_percent: 40 };

function paceOn(machine: MadeUpMachine, settings = SETTINGS): Pace {
  return new Pace(machine, settings, () => machine.now);
}

describe('the pace of background work', () => {
  it('has no pauses on an idle machine', async () => {
    expect(await paceOn(new MadeUpMachine()).next()).toEqual({ mayWork: true, waitMs: 0, reason: null });
  });

  it('pauses longer and longer while others need the machine, and not at all once they do not', async () => {
    const machine = new MadeUpMachine();
    machine.loadNow = 3.5;
    const pace = paceOn(machine);
    const waits: number[] = [];
    for (let count = 0; count < 10; count += 1) waits.push((await pace.next()).waitMs);
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000]);
    expect(await pace.next()).toMatchObject({ mayWork: true, reason: 'the machine is busy' });
    machine.loadNow = 3;
    expect((await pace.next()).waitMs).toBe(0);
  });

  it('does not take its own work for that of others', async () => {
    const machine = new MadeUpMachine();
    const pace = paceOn(machine);
    // Five minutes on a whole core: the system counts 1 for it.
    for (let seconds = 0; seconds < 300; seconds += 1) {
      machine.now += 1000;
      machine.cpuSeconds += 1;
      machine.loadNow = 1 - Math.exp(-seconds / 60) + 3;
      expect((await pace.next()).waitMs).toBe(0);
    }
    machine.loadNow = 4.3;
    expect((await pace.next()).waitMs).toBe(250);
  });

  it('waits on a battery that is low, which it asks about once a minute', async () => {
    const machine = new MadeUpMachine();
    machine.battery = 39;
    const pace = paceOn(machine);
    expect(await pace.next()).toMatchObject({ mayWork: false, reason: 'the machine runs on battery (39 %)' });
    machine.battery = undefined;
    expect((await pace.next()).mayWork).toBe(false);
    expect(machine.asked).toBe(1);
    machine.now += 60_000;
    expect((await pace.next()).mayWork).toBe(true);
  });

  it('asks neither where the settings say so, and goes on where the system does not tell', async () => {
    const machine = new MadeUpMachine();
    machine.loadNow = 99;
    machine.battery = 1;
    const pace = paceOn(machine, { ...SETTINGS, max_load: 0, min_battery_percent: 0 });
    expect(await pace.next()).toEqual({ mayWork: true, waitMs: 0, reason: null });
    machine.loadNow = undefined;
    machine.battery = undefined;
    expect((await paceOn(machine).next()).waitMs).toBe(0);
  });
});
