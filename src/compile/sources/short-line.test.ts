import { describe, expect, it } from 'vitest';
import { shortLine } from './known.ts';

const SAID = Date.UTC(2025, 7, 28);

describe('a statement as a line', () => {
  it.each([
    ['2026-01-05: Alex lives in Bergen', 'Alex lives in Bergen'],
    ['[ ] Order the tyres (due 2025-10-31)', 'To do: Order the tyres (due 2025-10-31)'],
    ['[ ] About “is anything open?”: Build the form', 'To do: Build the form'],
    [') Lift broke for the fourth time', 'Lift broke for the fourth time'],
    ['Decided that queues run on pg-boss [harbor]', 'Decided that queues run on pg-boss'],
  ])('has nothing around it: %s', (text, line) => {
    expect(shortLine(text, SAID)).toBe(line);
  });

  it.each([
    ['Applications until 31 October (2025-10-31).', 'Applications until 31 October.'],
    ['The rent rises in September (2025-09).', 'The rent rises in September.'],
    ['Every Thursday, 16:00 (2025-08-07), in 207', 'Every Thursday, 16:00, in 207'],
  ])('leaves out a day that its words name: %s', (text, line) => {
    expect(shortLine(text, SAID)).toBe(line);
  });

  it.each([
    'Ben comes on Thursday (2025-08-14)',
    'The audit is on 30 January (2026-01-30)',
    'Renew the lease (due 2025-10-31)',
  ])('keeps a day that its words leave open: %s', (text) => {
    expect(shortLine(text, SAID)).toBe(text);
  });
});
