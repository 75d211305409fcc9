import { HOUR_MS, MINUTE_MS } from '../../model/time.ts';

/** An instant as a wall clock in the home's zone shows it. */
export interface ZonedTime {
  /** `YYYY-MM-DD` */
  readonly date: string;
  /** `HH:MM` */
  readonly time: string;
  /** `YYYY-MM-DDTHH:MM:SS+hh:mm` */
  readonly stamp: string;
}

/** Tells the hour of many instants in one zone. Asking Intl each time would take longer than reading the logs. */
export class ZoneClock {
  readonly zone: string;
  readonly #format: Intl.DateTimeFormat;
  readonly #offsets = new Map<number, number>();

  constructor(zone: string) {
    this.zone = zone;
    this.#format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
  }

  at(timeMs: number): ZonedTime {
    const offsetMinutes = this.#offsetAt(timeMs);
    const wall = new Date(timeMs + offsetMinutes * MINUTE_MS).toISOString();
    const date = wall.slice(0, 10);
    return { date, time: wall.slice(11, 16), stamp: `${wall.slice(0, 19)}${offsetText(offsetMinutes)}` };
  }

  /** Zones change their offset at full hours of UTC, or at half hours at worst. */
  #offsetAt(timeMs: number): number {
    const slot = Math.floor(timeMs / (HOUR_MS / 2));
    let offset = this.#offsets.get(slot);
    if (offset === undefined) {
      const name = this.#format.formatToParts(timeMs).find(({ type }) => type === 'timeZoneName')?.value ?? '';
      const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{2}):(\d{2})/u.exec(name) ?? [];
      offset = (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
      this.#offsets.set(slot, offset);
    }
    return offset;
  }
}

function offsetText(minutes: number): string {
  if (minutes === 0) return 'Z';
  const two = (value: number): string => String(value).padStart(2, '0');
  const size = Math.abs(minutes);
  return `${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}
