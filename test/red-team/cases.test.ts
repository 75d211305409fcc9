import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countCases, FAMILIES, renderCases } from './cases.ts';

// SPEC SAFETY-1
describe('the list of cases', () => {
  it('is current', () => {
    const written = fs.readFileSync(path.join(import.meta.dirname, 'CASES.md'), 'utf8');
    expect(written).toBe(renderCases());
  });

  it('has enough attacks, and controls in every family', () => {
    expect(countCases('attack')).toBeGreaterThanOrEqual(200);
    const without = FAMILIES.filter(({ cases }) => cases.every(({ kind }) => kind === 'attack'));
    expect(without.map(({ title }) => title)).toEqual([]);
  });

  it('has every name once in its family', () => {
    const twice = FAMILIES.flatMap(({ title, cases }) => {
      const names = cases.map(({ name }) => name);
      return names.filter((name, at) => names.indexOf(name) !== at).map((name) => `${title}: ${name}`);
    });
    expect(twice).toEqual([]);
  });
});
