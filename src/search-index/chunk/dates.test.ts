import { describe, expect, it } from 'vitest';
import { dateInWords, dayInWords, knownZone, momentOf } from './dates.ts';

describe('dates in words', () => {
  it.each([
    ['2023-05-08', 'Monday 8 May 2023'],
    ['2026-02', 'February 2026'],
    ['1998', '1998'],
    ['2026-W07', 'week of Monday 9 February 2026'],
    ['2026-W01', 'week of Monday 29 December 2025'],
    ['2026-02-30', undefined],
    ['2026-13', undefined],
    ['soon', undefined],
  ])('%s is %s', (date, words) => {
    expect(dateInWords(date)).toBe(words);
  });

  it('names the day as the home sees it', () => {
    expect(dayInWords('2026-02-16T23:30:00Z', 'Europe/Vienna')).toBe('Tuesday 17 February 2026');
    expect(dayInWords('nonsense', 'Europe/Vienna')).toBe('');
  });
});

describe('moments', () => {
  it.each([
    ['2026-02-16', '08:12', 'Europe/Vienna', '2026-02-16T07:12:00.000Z'],
    ['2026-07-16', '08:12:30', 'Europe/Vienna', '2026-07-16T06:12:30.000Z'],
    ['2026-03-29', '03:30', 'Europe/Vienna', '2026-03-29T01:30:00.000Z'],
    ['2026-02-16', undefined, 'America/Denver', '2026-02-16T07:00:00.000Z'],
    ['2026-02', undefined, 'UTC', '2026-02-01T00:00:00.000Z'],
    ['2026-W07', undefined, 'UTC', '2026-02-09T00:00:00.000Z'],
    ['2026-02-16T18:45:00+01:00', undefined, 'America/Denver', '2026-02-16T17:45:00.000Z'],
    ['2026-02-16 18:45', undefined, 'Europe/Vienna', '2026-02-16T17:45:00.000Z'],
  ])('%s %s in %s', (date, time, zone, expected) => {
    expect(new Date(momentOf(date, time, zone) ?? 0).toISOString()).toBe(expected);
  });

  it('has none for what is no date', () => {
    expect(momentOf('2026-02-31', '10:00', 'UTC')).toBeUndefined();
    expect(momentOf('2026-02-16', 'noon', 'UTC')).toBeUndefined();
    expect(momentOf(undefined, '10:00', 'UTC')).toBeUndefined();
  });

  it('does not know a zone that does not exist', () => {
    expect(knownZone('Europe/Atlantis')).toBeUndefined();
    expect(knownZone('Europe/Vienna')).toBe('Europe/Vienna');
  });
});
