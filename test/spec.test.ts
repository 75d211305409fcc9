import fs from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '..');

it('every invariant in SPEC.md names a test that exists', () => {
  const text = fs.readFileSync(path.join(root, 'SPEC.md'), 'utf8');
  const invariants = text.split(/^\d+\. /mu).slice(1);
  expect(invariants.length).toBeGreaterThan(20);
  for (const invariant of invariants) {
    const tests = [...invariant.matchAll(/`((?:src|test)\/[^`]+\.test\.ts)`/gu)].map((match) => match[1] ?? '');
    expect(tests).not.toEqual([]);
    expect(tests.filter((test) => !fs.existsSync(path.join(root, test)))).toEqual([]);
  }
});
