import { describe, expect, it } from 'vitest';
import { isTelling } from './vocabulary.ts';

describe('isTelling', () => {
  it.each([
    ['geocod', true],
    ['2048', true],
    ['test', false],
    ['12', false],
  ])('%j: %s', (term, expected) => {
    expect(isTelling(term)).toBe(expected);
  });
});
