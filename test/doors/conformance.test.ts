import { expect, it } from 'vitest';
import { runConformance } from './conformance.ts';

it('the official conformance suite passes, but for what conformance.yaml explains', async () => {
  const { complaint, passed, scenarios } = await runConformance();
  expect(complaint).toBe('');
  expect([passed, scenarios]).toEqual([24, 32]);
});
