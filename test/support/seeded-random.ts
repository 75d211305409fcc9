import type { Random } from '../../src/platform/random.ts';

/** Chance that repeats: a failing run is told by its seed (mulberry32). */
export class SeededRandom implements Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  number(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  bytes(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => this.integer(256));
  }

  /** Uniform in 0 … limit − 1. */
  integer(limit: number): number {
    return Math.floor(this.number() * limit);
  }

  between(least: number, most: number): number {
    return least + this.integer(most - least + 1);
  }

  chance(probability: number): boolean {
    return this.number() < probability;
  }

  pick<T>(choices: readonly T[]): T {
    const choice = choices[this.integer(choices.length)];
    if (choice === undefined) throw new Error('there is nothing to pick from');
    return choice;
  }

  /** Picks a key in proportion to its weight. */
  pickWeighted<K extends string>(weights: Readonly<Record<K, number>>): K {
    const entries = Object.entries(weights) as [K, number][];
    let rest = this.number() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      rest -= weight;
      if (rest < 0) return key;
    }
    return this.pick(entries.map(([key]) => key));
  }
}
