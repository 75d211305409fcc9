import { expect, it } from 'vitest';
import { dueWords } from '../../search-index/chunk/due.ts';
import { fadesFrom } from './fading.ts';

const TOLD_MS = Date.parse('2026-01-05T10:00:00Z');

// SPEC FADE-3
it('lets nothing fade that is still to be done before its day', () => {
  const text = 'Renew the passport. (due 2026-09-01)';
  expect(fadesFrom({ type: 'task', text, timeMs: TOLD_MS })).toBe(Date.parse('2026-09-01T23:59:59Z'));
  expect(fadesFrom({ type: 'task', text: 'Buy salt. (due 2025-12-24)', timeMs: TOLD_MS })).toBe(TOLD_MS);
  expect(fadesFrom({ type: 'fact', text, timeMs: TOLD_MS })).toBe(TOLD_MS);
  expect(fadesFrom({ type: 'task', text, timeMs: undefined })).toBeUndefined();
});

it.each([
  [{ due: '2027' }, '2027-12-31T23:59:59Z'],
  [{ due: '2027-02' }, '2027-02-28T23:59:59Z'],
  [{ due: '2027-09-01T10:00:00Z' }, '2027-09-01T23:59:59Z'],
])('knows the end of %j', ({ due }, end) => {
  const text = `Said to be done (due 2020-01-01) long ago${dueWords(due)}`;
  expect(fadesFrom({ type: 'task', text, timeMs: TOLD_MS })).toBe(Date.parse(end));
});

it.each(['2026-99-99', '2026-13', '2026-00', 'soon', 7])('takes %j for no day', (due) => {
  expect(dueWords(due)).toBe('');
});

it('lets what was replaced fade from the day on which it stops to hold', () => {
  const text = 'Apollo belongs to Nordwind. (until 2028-05-31)';
  expect(fadesFrom({ type: 'superseded', text, timeMs: TOLD_MS })).toBe(Date.parse('2028-05-31T23:59:59Z'));
});

it('counts from when it was learned or confirmed, not from when it was said', () => {
  const learnedMs = Date.parse('2026-11-01T00:00:00Z');
  expect(fadesFrom({ type: 'fact', text: 'Vera lives in Graz', timeMs: TOLD_MS, learnedMs })).toBe(learnedMs);
  expect(fadesFrom({ type: 'fact', text: 'Vera lives in Graz', timeMs: learnedMs, learnedMs: TOLD_MS })).toBe(
    learnedMs,
  );
});
