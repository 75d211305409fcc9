import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JobMemory, type JobSchedule, Occurrences, planJob } from './plan.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../model/time.ts';

const at = (iso: string): number => Date.parse(iso);
const iso = (timeMs: number | undefined): string | undefined =>
  timeMs === undefined ? undefined : new Date(timeMs).toISOString().slice(0, 16);

function schedule(cron: string, given: Partial<JobSchedule> = {}): JobSchedule {
  return { cron, timeZone: 'UTC', catchUp: true, jitterMs: 0, ...given };
}

/** Lives through some moments as the scheduler does, and says at which of them the job ran, and for which time. */
function live(given: JobSchedule, since: string, moments: readonly string[]): string[] {
  let memory: JobMemory = { servedMs: at(since), failures: 0 };
  const runs: string[] = [];
  for (const moment of moments) {
    const plan = planJob(given, memory, at(moment));
    if (plan.startsOver === true) memory = { servedMs: at(moment), failures: 0 };
    if (plan.skipTo !== undefined) memory = { servedMs: plan.skipTo, failures: 0 };
    if (plan.dueMs === undefined) continue;
    runs.push(`${moment.slice(0, 16)} for ${iso(plan.dueMs)}`);
    memory = { servedMs: plan.dueMs, failures: 0 };
  }
  return runs;
}

/** Every few minutes between two moments. */
function minutes(from: string, to: string, step = 1): string[] {
  const all: string[] = [];
  for (let now = at(from); now <= at(to); now += step * MINUTE_MS) all.push(new Date(now).toISOString());
  return all;
}

// SPEC JOB-1
describe('summer time', () => {
  it.each<[string, string, string, string, string, string[]]>([
    [
      'a time that does not exist is made up for as soon as clocks show something again',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-03-28T12:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-29T01:00', '2026-03-30T00:30'],
    ],
    [
      'a time that comes twice counts once',
      '30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T12:00Z',
      '2026-10-26T12:00Z',
      ['2026-10-25T00:30', '2026-10-26T01:30'],
    ],
    [
      'three in the morning stays three in the morning, in spring',
      '0 3 * * *',
      'Europe/Berlin',
      '2026-03-27T12:00Z',
      '2026-03-30T12:00Z',
      ['2026-03-28T02:00', '2026-03-29T01:00', '2026-03-30T01:00'],
    ],
    [
      'and in autumn',
      '0 3 * * *',
      'Europe/Berlin',
      '2026-10-23T12:00Z',
      '2026-10-26T12:00Z',
      ['2026-10-24T01:00', '2026-10-25T02:00', '2026-10-26T02:00'],
    ],
    [
      'every half hour goes on through the hour that comes twice',
      '*/30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:40Z',
      '2026-10-25T02:00Z',
      ['2026-10-25T00:00', '2026-10-25T00:30', '2026-10-25T01:00', '2026-10-25T01:30', '2026-10-25T02:00'],
    ],
    [
      'midnight itself may not exist',
      '0 0 * * *',
      'Africa/Cairo',
      '2026-04-23T12:00Z',
      '2026-04-25T12:00Z',
      ['2026-04-23T22:00', '2026-04-24T21:00'],
    ],
  ])('%s', (_name, cron, timeZone, from, to, expected) => {
    const runs = live(schedule(cron, { timeZone }), from, minutes(from, to, 10));
    expect(runs).toEqual(expected.map((time) => `${time} for ${time}`));
  });
});

describe('another time zone', () => {
  it.each<[string, string, string[]]>([
    ['to the west, the night comes again', 'America/New_York', ['2026-02-18T08:00', '2026-02-19T08:00']],
    ['to the east, it comes sooner', 'Asia/Tokyo', ['2026-02-17T18:00', '2026-02-18T18:00']],
  ])('%s, once', (_name, timeZone, expected) => {
    // It ran at three in Berlin; the move at noon begins a schedule of its own, which makes up for nothing before it.
    const berlin = live(schedule('0 3 * * *', { timeZone: 'Europe/Berlin' }), '2026-02-16T12:00Z', [
      ...minutes('2026-02-16T12:00Z', '2026-02-17T11:00Z', 10),
    ]);
    expect(berlin).toEqual(['2026-02-17T02:00 for 2026-02-17T02:00']);
    const times = minutes('2026-02-17T11:00Z', '2026-02-19T12:00Z', 10);
    const moved = live(schedule('0 3 * * *', { timeZone }), '2026-02-17T11:00Z', times);
    expect(moved).toEqual(expected.map((time) => `${time} for ${time}`));
  });
});

describe('a clock that is changed', () => {
  const daily = schedule('0 3 * * *');

  it('back an hour: what ran does not run again', () => {
    const moments = [
      ...minutes('2026-02-16T02:50Z', '2026-02-16T03:10Z'),
      ...minutes('2026-02-16T02:10Z', '2026-02-17T03:10Z', 10),
    ];
    expect(live(daily, '2026-02-15T12:00Z', moments)).toEqual([
      '2026-02-16T03:00 for 2026-02-16T03:00',
      '2026-02-17T03:00 for 2026-02-17T03:00',
    ]);
  });

  it('forward a month: one run makes up for all', () => {
    const moments = [
      ...minutes('2026-02-16T02:50Z', '2026-02-16T03:10Z'),
      ...minutes('2026-03-16T12:00Z', '2026-03-17T04:00Z', 10),
    ];
    expect(live(daily, '2026-02-15T12:00Z', moments)).toEqual([
      '2026-02-16T03:00 for 2026-02-16T03:00',
      '2026-03-16T12:00 for 2026-03-16T03:00',
      '2026-03-17T03:00 for 2026-03-17T03:00',
    ]);
  });

  it('forward a month and back again: the job is not silent until the clock gets there', () => {
    const moments = [
      ...minutes('2026-03-16T02:50Z', '2026-03-16T03:10Z'),
      ...minutes('2026-02-16T12:00Z', '2026-02-18T04:00Z', 10),
    ];
    expect(live(daily, '2026-02-15T12:00Z', moments)).toEqual([
      '2026-03-16T02:50 for 2026-03-15T03:00',
      '2026-03-16T03:00 for 2026-03-16T03:00',
      '2026-02-17T03:00 for 2026-02-17T03:00',
      '2026-02-18T03:00 for 2026-02-18T03:00',
    ]);
  });

  it('a month ahead and back, for a monthly job: that month was done', () => {
    const monthly = schedule('0 1 1 * *');
    const moments = [
      ...minutes('2026-03-01T00:50Z', '2026-03-01T01:10Z'),
      '2026-02-16T12:00:00Z',
      '2026-03-01T01:00:00Z',
      '2026-04-01T01:00:00Z',
    ];
    expect(live(monthly, '2026-02-15T12:00Z', moments)).toEqual([
      '2026-03-01T01:00 for 2026-03-01T01:00',
      '2026-04-01T01:00 for 2026-04-01T01:00',
    ]);
  });

  it('a frequent job waits for a small jump back and forgets a large one', () => {
    const often = schedule('*/30 * * * *');
    const small = [
      ...minutes('2026-02-16T10:00Z', '2026-02-16T10:05Z'),
      ...minutes('2026-02-16T09:05Z', '2026-02-16T10:31Z'),
    ];
    expect(live(often, '2026-02-16T09:59Z', small)).toEqual([
      '2026-02-16T10:00 for 2026-02-16T10:00',
      '2026-02-16T10:30 for 2026-02-16T10:30',
    ]);
    const large = [
      ...minutes('2026-02-16T20:00Z', '2026-02-16T20:05Z'),
      ...minutes('2026-02-16T10:05Z', '2026-02-16T10:31Z'),
    ];
    expect(live(often, '2026-02-16T19:59Z', large)).toEqual([
      '2026-02-16T20:00 for 2026-02-16T20:00',
      '2026-02-16T10:30 for 2026-02-16T10:30',
    ]);
  });
});

describe('a machine that was off', () => {
  it('makes up for the last one that was missed, once', () => {
    const moments = ['2026-02-20T08:00:00Z', '2026-02-20T08:01:00Z', '2026-02-21T02:59:00Z'];
    expect(live(schedule('0 3 * * *'), '2026-02-15T12:00Z', moments)).toEqual([
      '2026-02-20T08:00 for 2026-02-20T03:00',
    ]);
  });

  it('makes up for nothing when told so, but a few minutes late is on time', () => {
    const given = schedule('0 3 * * *', { catchUp: false });
    expect(live(given, '2026-02-15T12:00Z', ['2026-02-20T08:00:00Z', '2026-02-21T03:04:00Z'])).toEqual([
      '2026-02-21T03:04 for 2026-02-21T03:00',
    ]);
  });
});

it('starts later by the jitter, but never by more than a tenth of the interval', () => {
  const late = schedule('0 3 * * *', { jitterMs: 90_000 });
  expect(live(late, '2026-02-15T12:00Z', minutes('2026-02-16T02:58Z', '2026-02-16T03:05Z'))).toEqual([
    '2026-02-16T03:02 for 2026-02-16T03:00',
  ]);
  const often = schedule('*/5 * * * *', { jitterMs: HOUR_MS });
  const { nextMs } = planJob(often, { servedMs: at('2026-02-16T10:00Z'), failures: 0 }, at('2026-02-16T10:01Z'));
  expect(nextMs).toBe(at('2026-02-16T10:05Z') + 30_000);
});

describe('after a failure', () => {
  const daily = schedule('0 3 * * *');
  const failed = (failures: number, lastTry: string): JobMemory => ({
    servedMs: at('2026-02-15T03:00Z'),
    failures,
    lastTryMs: at(lastTry),
  });

  it.each([
    [1, '2026-02-16T03:01'],
    [2, '2026-02-16T03:02'],
    [5, '2026-02-16T03:16'],
    [12, '2026-02-16T09:00'],
    [400, '2026-02-16T09:00'],
  ])('%i of them: again at %s', (failures, expected) => {
    const plan = planJob(daily, failed(failures, '2026-02-16T03:00Z'), at('2026-02-16T03:00:30Z'));
    expect(plan.dueMs).toBeUndefined();
    expect(iso(plan.nextMs)).toBe(expected);
    expect(planJob(daily, failed(failures, '2026-02-16T03:00Z'), at(`${expected}Z`)).dueMs).toBe(
      at('2026-02-16T03:00Z'),
    );
  });

  it('a job that runs often never waits longer than its interval', () => {
    const memory = { servedMs: at('2026-02-16T10:00Z'), failures: 30, lastTryMs: at('2026-02-16T10:31Z') };
    expect(iso(planJob(schedule('*/30 * * * *'), memory, at('2026-02-16T10:40Z')).nextMs)).toBe('2026-02-16T11:00');
  });

  it('a clock that was put back does not make it wait', () => {
    expect(planJob(daily, failed(9, '2026-05-01T00:00Z'), at('2026-02-16T04:00Z')).dueMs).toBe(at('2026-02-16T03:00Z'));
  });

  it('is tried again although missed ones are not made up for', () => {
    const given = schedule('0 3 * * *', { catchUp: false });
    expect(planJob(given, failed(3, '2026-02-16T03:00Z'), at('2026-02-16T04:00Z')).dueMs).toBe(at('2026-02-16T03:00Z'));
  });
});

it('an expression that never comes true is never due', () => {
  expect(planJob(schedule('0 0 31 2 *'), { servedMs: 0, failures: 0 }, at('2026-02-16T03:00Z'))).toEqual({
    nextMs: undefined,
  });
});

describe('whatever the clock does', () => {
  const CRONS = ['0 3 * * *', '*/30 * * * *', '0 2 * * 0', '0 1 1 * *', '30 2 * * *', '5 0 * * *', '20 * * * *'];
  const ZONES = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Australia/Lord_Howe', 'America/St_Johns'];
  const START = at('2026-01-01T00:00Z');
  const arbitrary = fc.record({
    cron: fc.constantFrom(...CRONS),
    timeZone: fc.constantFrom(...ZONES),
    startMs: fc.integer({ min: START, max: START + 365 * DAY_MS }),
    steps: fc.array(fc.integer({ min: 1, max: 3 * DAY_MS }), { minLength: 1, maxLength: 40 }),
  });

  it('while time goes on, no occurrence is served twice or out of order, and none waits once it is seen', () => {
    fc.assert(
      fc.property(arbitrary, ({ cron, timeZone, startMs, steps }) => {
        const given = schedule(cron, { timeZone });
        const occurrences = new Occurrences(cron, timeZone);
        let memory: JobMemory = { servedMs: startMs, failures: 0 };
        let nowMs = startMs;
        for (const step of steps) {
          nowMs += step;
          const { dueMs } = planJob(given, memory, nowMs);
          const lastMs = occurrences.upTo(nowMs);
          const isOpen = lastMs !== undefined && lastMs > memory.servedMs;
          expect(dueMs).toBe(isOpen ? lastMs : undefined);
          if (dueMs !== undefined) memory = { servedMs: dueMs, failures: 0 };
        }
      }),
    );
  });

  it('with any jumps, a job is never silent for longer than two of its intervals and what a small jump back may cost', () => {
    fc.assert(
      fc.property(
        arbitrary,
        fc.integer({ min: -400 * DAY_MS, max: 400 * DAY_MS }),
        ({ cron, timeZone, startMs }, jumpMs) => {
          const given = schedule(cron, { timeZone });
          const occurrences = new Occurrences(cron, timeZone);
          const served = occurrences.upTo(startMs) ?? startMs;
          const nowMs = startMs + jumpMs;
          const { dueMs, nextMs } = planJob(given, { servedMs: served, failures: 0 }, nowMs);
          const first = occurrences.after(nowMs) ?? nowMs;
          const second = occurrences.after(first) ?? first;
          const intervalMs = second - first;
          const latest = nowMs + 2 * Math.max(intervalMs, 31 * DAY_MS * Number(cron === '0 1 1 * *')) + 4 * HOUR_MS;
          expect(dueMs ?? nextMs ?? Infinity).toBeLessThanOrEqual(latest);
        },
      ),
    );
  });

  it('what is said to come next is when it is due', () => {
    fc.assert(
      fc.property(arbitrary, fc.integer({ min: 0, max: HOUR_MS }), ({ cron, timeZone, startMs }, jitterMs) => {
        const given = schedule(cron, { timeZone, jitterMs });
        const memory = { servedMs: startMs, failures: 0 };
        const { nextMs = 0 } = planJob(given, memory, startMs);
        expect(planJob(given, memory, nextMs - 1).dueMs).toBeUndefined();
        expect(planJob(given, memory, nextMs).dueMs).toBeDefined();
      }),
    );
  });
});
