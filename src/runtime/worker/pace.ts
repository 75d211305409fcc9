import type { Config } from '../../model/config/schema.ts';
import type { Machine } from '../../platform/machine.ts';

/** The step before the next piece of background work. */
export interface Turn {
  /** False: no work now, look again after the wait. */
  readonly mayWork: boolean;
  readonly waitMs: number;
  /** Why there is a wait; null when there is none. */
  readonly reason: string | null;
}

/** A busy machine is given room, more and more of it; some work is done in between, or nothing would ever be learned on it. */
const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 30_000;
const BATTERY_LOOK_MS = 60_000;
/** The system's load is an average that forgets this fast; this process's own share of it is reckoned the same way. */
const LOAD_MEMORY_MS = 60_000;

/** Decides how fast background work goes, by the load of the machine and its battery. */
export class Pace {
  readonly #machine: Machine;
  readonly #settings: Config['worker'];
  readonly #elapsedMs: () => number;
  #pauseMs = 0;
  #ownLoad = 0;
  #looked: { readonly atMs: number; readonly cpuSeconds: number };
  #battery: { readonly percent: number | undefined; readonly untilMs: number } | undefined;

  constructor(machine: Machine, settings: Config['worker'], elapsedMs: () => number) {
    this.#machine = machine;
    this.#settings = settings;
    this.#elapsedMs = elapsedMs;
    this.#looked = { atMs: elapsedMs(), cpuSeconds: machine.ownCpuSeconds() };
  }

  async next(): Promise<Turn> {
    const percent = await this.#batteryPercent();
    if (percent !== undefined && percent < this.#settings.min_battery_percent) {
      return { mayWork: false, waitMs: BATTERY_LOOK_MS, reason: `the machine runs on battery (${percent} %)` };
    }
    if (!this.#isBusy()) {
      this.#pauseMs = 0;
      return { mayWork: true, waitMs: 0, reason: null };
    }
    this.#pauseMs = Math.min(LONGEST_PAUSE_MS, Math.max(FIRST_PAUSE_MS, this.#pauseMs * 2));
    return { mayWork: true, waitMs: this.#pauseMs, reason: 'the machine is busy' };
  }

  #isBusy(): boolean {
    const { max_load: maxLoad } = this.#settings;
    const load = this.#machine.load();
    this.#followOwnLoad();
    if (load === undefined || maxLoad === 0) return false;
    return (load - this.#ownLoad) / this.#machine.cores > maxLoad;
  }

  #followOwnLoad(): void {
    const now = { atMs: this.#elapsedMs(), cpuSeconds: this.#machine.ownCpuSeconds() };
    const passedMs = now.atMs - this.#looked.atMs;
    if (passedMs <= 0) return;
    const used = ((now.cpuSeconds - this.#looked.cpuSeconds) * 1000) / passedMs;
    const kept = Math.exp(-passedMs / LOAD_MEMORY_MS);
    this.#ownLoad = this.#ownLoad * kept + used * (1 - kept);
    this.#looked = now;
  }

  /** Asked rarely: on some systems another program has to be started for it. */
  async #batteryPercent(): Promise<number | undefined> {
    if (this.#settings.min_battery_percent === 0) return undefined;
    const nowMs = this.#elapsedMs();
    if (this.#battery === undefined || nowMs >= this.#battery.untilMs) {
      this.#battery = { percent: await this.#machine.batteryPercent(), untilMs: nowMs + BATTERY_LOOK_MS };
    }
    return this.#battery.percent;
  }
}
