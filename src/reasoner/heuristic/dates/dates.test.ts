import { describe, expect, it } from 'vitest';
import { findNamedDates, loadDateParser } from './dates.ts';

/** Monday 2 March 2026, half past eleven at night in Berlin. */
const SAID_MS = Date.UTC(2026, 2, 2, 22, 30);

async function datesOf(text: string, zone = 'Europe/Berlin'): Promise<string[]> {
  return findNamedDates(text, SAID_MS, zone, await loadDateParser()).map(({ date }) => date);
}

describe('named dates', () => {
  it.each([
    ['call the vet tomorrow', '2026-03-03'],
    ['by friday', '2026-03-06'],
    ['on the 21 march', '2026-03-21'],
    ['on 4 May 2027', '2027-05-04'],
    ['sometime in april', '2026-04'],
    ['Borås first, Malmö last, on friday', '2026-03-06'],
    ['we need it on friday', '2026-03-06'],
    ['she is here until april 30', '2026-04-30'],
    ['away may 15 to june 2', '2026-05-15'],
    ['extend release/0.9 until 31 July', '2026-07-31'],
    ['the first sunday of july', '2026-07'],
    ['the first sunday of sept', '2026-09'],
    ['call support on 24/7 about the contract', '2026-07-24'],
    ["on friday in may's flat", '2026-03-06'],
    ['on call 24/7 until friday', '2026-03-06'],
    ['Ben left on friday', '2026-02-27'],
    ['Ana came on friday', '2026-02-27'],
    ['the audit was moved to friday', '2026-03-06'],
    ['she left; the handover is on friday', '2026-03-06'],
  ])('%s', async (text, date) => {
    expect(await datesOf(text)).toEqual([date]);
  });

  it.each([
    'every monday',
    'on tuesdays',
    'it may rain',
    'takes 40 minutes',
    'no date at all',
    'run `at friday`',
    'no merges on a friday',
    'the first monday of every month',
    'she records 24/7',
    'no order in the 45 days after the snapshot',
    'moved from the 20th to 10 April',
    'from then on it is a Søren Bech',
    'then half a day of pairing',
    'he left after three months',
    'wrong for a week',
    'Monday to Thursday',
    'Monday to Thursday, 10 to 13, 42 an hour',
    'changes go out on Tuesday and Thursday',
    'runs on Saturday, Monday and Wednesday',
    'likes weekly summaries on friday',
    'we never deploy on friday',
    'the next day',
  ])('%s is none', async (text) => {
    expect(await datesOf(text)).toEqual([]);
  });

  it('are days of the time zone', async () => {
    expect(await datesOf('tomorrow', 'Asia/Tokyo')).toEqual(['2026-03-04']);
  });
});
