import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { confidentlyDiffer } from './statement.ts';

describe('one statement with another value', () => {
  it.each([
    ['The deadline is March 15', 'The deadline is March 30', true],
    ['Service 12 listens on port 1012', 'Service 13 listens on port 1013', false],
    ['The gate is open', 'The gate is not open', true],
    ['Crate a1 stands in hall b1', 'Crate a2 stands in hall b2', false],
  ])('%s / %s: %s', (one, other, expected) => {
    expect(confidentlyDiffer(one, other)).toBe(expected);
  });

  it('is the same seen from either side', () => {
    const sentence = fc.array(fc.constantFrom('the', 'gate', 'is', 'open', '9', '10'), { maxLength: 8 });
    fc.assert(
      fc.property(sentence, sentence, (one, other) => {
        expect(confidentlyDiffer(one.join(' '), other.join(' '))).toBe(
          confidentlyDiffer(other.join(' '), one.join(' ')),
        );
      }),
    );
  });
});
