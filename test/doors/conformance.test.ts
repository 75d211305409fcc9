import { expect, it } from 'vitest';
import { runConformance } from './conformance.ts';

// SPEC MCP-5
it('every scenario of the official conformance suite passes', async () => {
  const { complaint, passed, scenarios } = await runConformance();
  expect(complaint).toBe('');
  expect([passed, scenarios]).toEqual([32, 32]);
});
