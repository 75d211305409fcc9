import { expect, it } from 'vitest';
import { parseMoment } from './revisions.ts';

const nowMs = Date.parse('2026-03-30T00:30:00+02:00');
const berlin = (text: string): string | undefined => {
  const timeMs = parseMoment(text, nowMs, 'Europe/Berlin');
  return timeMs === undefined ? undefined : new Date(timeMs).toISOString();
};

it('takes a day as its end, in the zone of the home', () => {
  expect(berlin('2026-02-01')).toBe('2026-02-01T22:59:59.999Z');
  expect(berlin('2026-07-01')).toBe('2026-07-01T21:59:59.999Z');
  expect(parseMoment('2026-02-01', nowMs, 'America/New_York')).toBe(Date.parse('2026-02-02T04:59:59.999Z'));
});

it('takes a day as its beginning where a span starts there', () => {
  const start = (text: string): number | undefined => parseMoment(text, nowMs, 'Europe/Berlin', 'start');
  expect(start('2026-02-01')).toBe(Date.parse('2026-01-31T22:59:59.999Z'));
  expect(start('today')).toBe(Date.parse('2026-03-29T21:59:59.999Z'));
  expect(start('yesterday')).toBe(Date.parse('2026-03-28T22:59:59.999Z'));
  expect(start('2026-02-01T18:30')).toBe(Date.parse('2026-02-01T17:30:00.000Z'));
});

it('knows the day before a change of clocks', () => {
  expect(berlin('yesterday')).toBe('2026-03-29T21:59:59.999Z');
  expect(berlin('2026-03-28')).toBe('2026-03-28T22:59:59.999Z');
});

it('takes times with and without a zone', () => {
  expect(berlin('2026-02-01T18:30')).toBe('2026-02-01T17:30:00.000Z');
  expect(berlin('2026-02-01 18:30:05')).toBe('2026-02-01T17:30:05.000Z');
  expect(berlin('2026-02-01T18:30Z')).toBe('2026-02-01T18:30:00.000Z');
  expect(berlin('2026-02-01T18:30:00-0500')).toBe('2026-02-01T23:30:00.000Z');
});

it('counts back from now', () => {
  expect(berlin('now')).toBe('2026-03-29T22:30:00.000Z');
  expect(berlin('3 days ago')).toBe('2026-03-26T22:30:00.000Z');
  expect(berlin('90 minutes ago')).toBe('2026-03-29T21:00:00.000Z');
  expect(berlin('1 Week ago')).toBe('2026-03-22T22:30:00.000Z');
});

it('does not take other words, or days that do not exist, for a time', () => {
  for (const text of ['main', 'last monday', '2026-02-30', '2026-02-01T25:00', '12', ''])
    expect(berlin(text)).toBeUndefined();
});
