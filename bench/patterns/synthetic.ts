import { type Occurrence } from '../../src/memory/patterns/occurrence.ts';
import { DAY_MS, HOUR_MS } from '../../src/model/time.ts';

/** A regularity put into the data, and how to recognise it among what was found. */
export interface Planted {
  readonly name: string;
  readonly isFoundAs: (key: string) => boolean;
}

export interface SyntheticYear {
  readonly occurrences: readonly Occurrence[];
  readonly planted: readonly Planted[];
}

const START_MS = Date.UTC(2025, 0, 6);
const DAYS = 365;
const NOISE_LABELS = 25;

export type Random = () => number;

/** A linear congruential sequence. */
export function sequenceOf(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A year of somebody who works on weekdays, with habits, sequences, causes and choices drawn by seed. */
export function makeYear(seed: number): SyntheticYear {
  const random = sequenceOf(seed);
  const events: { timeMs: number; labels: string[]; choices?: Record<string, string> }[] = [];
  const planted: Planted[] = [];
  const add = (timeMs: number, ...labels: string[]): void => {
    if (timeMs < START_MS + DAYS * DAY_MS) events.push({ timeMs, labels });
  };
  addNoise(random, add);
  for (const place of [0, 1]) {
    const [label, weekday, keeps] = [`weekly-${place}`, between(random, 0, 6), 0.75 + random() * 0.2];
    for (let day = 0; day < DAYS; day += 1) {
      if (day % 7 === weekday && random() < keeps) add(atHour(random, day, between(random, 8, 20)), label);
      if (random() < 0.01) add(atHour(random, day, between(random, 8, 20)), label);
    }
    planted.push({ name: `${label} on ${weekday}`, isFoundAs: (key) => key === `weekday ${label} ${weekday}` });
  }
  for (const place of [0, 1]) {
    const [label, hour, rate] = [`hourly-${place}`, between(random, 6, 21), 0.15 + random() * 0.4];
    for (let day = 0; day < DAYS; day += 1) {
      if (random() < rate) add(atHour(random, day, random() < 0.85 ? hour : between(random, 6, 22)), label);
    }
    planted.push({ name: `${label} at ${hour}`, isFoundAs: (key) => key === `hour ${label}` });
  }
  const monthDay = between(random, 1, 28);
  for (let day = 0; day < DAYS; day += 1) {
    if (new Date(START_MS + day * DAY_MS).getUTCDate() === monthDay && random() < 0.95) {
      add(atHour(random, day, between(random, 8, 20)), 'monthly');
    }
  }
  planted.push({ name: `monthly on ${monthDay}`, isFoundAs: (key) => key === `day-of-month monthly ${monthDay}` });
  addFollowing(random, add, planted);
  addChoices(random, events, planted);
  return { occurrences: toOccurrences(events), planted };
}

function addNoise(random: Random, add: (timeMs: number, ...labels: string[]) => void): void {
  for (let place = 0; place < NOISE_LABELS; place += 1) {
    const rate = 0.03 + random() * 0.5;
    for (let day = 0; day < DAYS; day += 1) {
      const isWeekend = day % 7 >= 5;
      if (random() < rate * (isWeekend ? 0.3 : 1)) add(atHour(random, day, busyHour(random)), `noise-${place}`);
    }
  }
}

function addFollowing(random: Random, add: (timeMs: number, ...labels: string[]) => void, planted: Planted[]): void {
  for (const place of [0, 1]) {
    const [first, second, keeps] = [`before-${place}`, `after-${place}`, 0.75 + random() * 0.2];
    for (let day = 0; day < DAYS; day += 1) {
      if (random() < 0.2) {
        const at = atHour(random, day, busyHour(random));
        add(at, first);
        if (random() < keeps) add(at + (0.2 + random() * 1.8) * HOUR_MS, second);
      }
      if (random() < 0.03) add(atHour(random, day, busyHour(random)), second);
    }
    planted.push({ name: `${first} then ${second}`, isFoundAs: (key) => key === `sequence ${first} > ${second}` });
  }
  for (const place of [0, 1]) {
    const [cause, effect, raises] = [`cause-${place}`, `effect-${place}`, 0.4 + random() * 0.3];
    for (let day = 0; day < DAYS; day += 1) {
      if (random() < 0.12) {
        const at = atHour(random, day, busyHour(random));
        add(at, cause);
        if (random() < raises) add(at + (4 + random() * 40) * HOUR_MS, effect);
      }
      if (random() < 0.025) add(atHour(random, day, busyHour(random)), effect);
    }
    planted.push({
      name: `${cause} raises ${effect}`,
      isFoundAs: (key) => key === `cause ${cause} > ${effect}` || key === `sequence ${cause} > ${effect}`,
    });
  }
}

function addChoices(
  random: Random,
  events: { timeMs: number; labels: string[]; choices?: Record<string, string> }[],
  planted: Planted[],
): void {
  const keeps = 0.7 + random() * 0.25;
  for (let day = 0; day < DAYS; day += 3) {
    const value = random() < keeps ? 'tea' : 'coffee';
    events.push({ timeMs: atHour(random, day, busyHour(random)), labels: [], choices: { drink: value } });
    const side = random() < 0.5 ? 'left' : 'right';
    events.push({ timeMs: atHour(random, day, busyHour(random)), labels: [], choices: { side } });
  }
  planted.push({ name: 'tea', isFoundAs: (key) => key === 'preference drink tea' });
}

/** The same things at times dealt out anew: nothing about time is true of them any more. */
export function permuteTimes(occurrences: readonly Occurrence[], seed: number): Occurrence[] {
  const random = sequenceOf(seed + 7919);
  const times = occurrences.map(({ timeMs }) => timeMs);
  for (let last = times.length - 1; last > 0; last -= 1) {
    const place = Math.floor(random() * (last + 1));
    [times[last], times[place]] = [times[place] ?? 0, times[last] ?? 0];
  }
  return toOccurrences(
    occurrences.map(({ labels, choices }, index) => ({ timeMs: times[index] ?? 0, labels, choices })),
  );
}

function toOccurrences(
  events: readonly {
    timeMs: number;
    labels: readonly string[];
    choices?: Readonly<Record<string, string>> | undefined;
  }[],
): Occurrence[] {
  return events.map(({ timeMs, labels, choices }, index) => {
    const date = new Date(timeMs);
    return {
      id: `e${index}`,
      timeMs,
      weekday: (date.getUTCDay() + 6) % 7,
      hour: date.getUTCHours(),
      dayOfMonth: date.getUTCDate(),
      labels,
      choices,
    };
  });
}

function atHour(random: Random, day: number, hour: number): number {
  return START_MS + day * DAY_MS + (hour + random()) * HOUR_MS;
}

/** Most things happen in the morning and the afternoon. */
function busyHour(random: Random): number {
  return random() < 0.6 ? between(random, 9, 12) : between(random, 13, 21);
}

function between(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}
