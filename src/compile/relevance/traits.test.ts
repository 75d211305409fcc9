import { describe, expect, it } from 'vitest';
import { TRAIT_SLOTS, traitsOf, type Traits } from './traits.ts';

function read(message: string, marks: readonly string[] = []): Traits {
  return traitsOf({ message, said: message, marks });
}

function shared(left: string, right: string): number {
  const other = read(right);
  return [...read(left).keys()].filter((slot) => other.has(slot)).length;
}

describe('traitsOf', () => {
  it('gives every trait a place in the table', () => {
    for (const [slot, strength] of read('What did Vera say about the K8s_cluster? 12 times!\nReally…')) {
      expect(slot).toBeGreaterThanOrEqual(0);
      expect(slot).toBeLessThan(TRAIT_SLOTS);
      expect(strength).toBeGreaterThan(0);
    }
  });

  it('sees what sentences on different subjects have in common', () => {
    const question = 'what did Vera say about the kitchen';
    expect(shared(question, 'what did Pjotr say about the exporter')).toBeGreaterThan(
      shared(question, 'explain kitchens'),
    );
  });

  it('reads a mistyped word as nearly the same', () => {
    expect(shared('retention', 'retenton')).toBeGreaterThan(shared('retention', 'calendar'));
  });

  it('counts marks as traits', () => {
    expect(read('hello', ['isOurs']).size).toBe(read('hello').size + 1);
  });

  it('has something to say about an empty message', () => {
    expect(read('').size).toBeGreaterThan(0);
  });
});
