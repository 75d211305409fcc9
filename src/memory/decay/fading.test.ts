import { expect, it } from 'vitest';
import { fadesFrom } from './fading.ts';

const TOLD_MS = Date.parse('2026-01-05T10:00:00Z');

it('lets nothing fade that is still to be done before its day', () => {
  const text = 'Renew the passport. (due 2026-09-01)';
  expect(fadesFrom({ type: 'task', text, timeMs: TOLD_MS })).toBe(Date.parse('2026-09-01'));
  expect(fadesFrom({ type: 'task', text: 'Buy salt. (due 2025-12-24)', timeMs: TOLD_MS })).toBe(TOLD_MS);
  expect(fadesFrom({ type: 'fact', text, timeMs: TOLD_MS })).toBe(TOLD_MS);
  expect(fadesFrom({ type: 'task', text, timeMs: undefined })).toBeUndefined();
});
