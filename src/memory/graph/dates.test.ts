import { expect, test } from 'vitest';
import { dateProblem, isRealDate } from './contradictions.ts';

test.each([
  ['2026-02-28', true],
  ['2024-02-29', true],
  ['2026-02-30', false],
  ['2026-04-31', false],
  ['2026-02', true],
  ['2026', true],
])('%s is a date: %s', (date, isReal) => {
  expect(isRealDate(date)).toBe(isReal);
});

test('what is wrong with the dates of a fact is told', () => {
  expect(dateProblem({ meta: { from: '2026-02-30' } })).toContain('2026-02-30');
  expect(dateProblem({ meta: { from: '2026-03-01', until: '2025-01-01' } })).toContain('before it began');
  expect(dateProblem({ meta: { from: '2025', until: '2026-03-01' } })).toBeUndefined();
});
