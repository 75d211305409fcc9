import { describe, expect, it } from 'vitest';
import { SECRET_DOORS } from './families/secret-doors.ts';

// SPEC SAFETY-3
describe('secrets through every interface', () => {
  it.each(SECRET_DOORS.cases)('$kind: $name', { timeout: 120_000 }, async ({ attempt }) => {
    expect(await attempt(undefined)).toBeUndefined();
  });
});
