import type { Passage } from '../passage.ts';
import { growFloat32, growFloat64 } from './grow.ts';

/** When passages happened and how much they matter, by number; NaN where it is not known. */
export class PassageFacts {
  times = new Float64Array(0);
  importances = new Float32Array(0);

  replace(first: number, times: Float64Array, importances: Float32Array): void {
    const end = first + times.length;
    if (end > this.times.length) {
      const old = this.times.length;
      const size = Math.max(1024, Math.ceil(end * 1.25));
      this.times = growFloat64(this.times, size).fill(Number.NaN, old);
      this.importances = growFloat32(this.importances, size).fill(Number.NaN, old);
    }
    this.times.set(times, first);
    this.importances.set(importances, first);
  }
}

/**
 * The latest first, what has no time before all: notes are few, and matter whenever they were written. About `likely` of
 * them are wanted, so the others are put in order only if they are asked for: a hook has no time for that.
 */
export function* latestFirst(
  passages: readonly number[],
  { times }: Pick<PassageFacts, 'times'>,
  likely: number,
): Generator<number> {
  const rankOf = (passage: number): number => {
    const time = times[passage] ?? Number.NaN;
    return Number.isNaN(time) ? Infinity : time;
  };
  const inOrder = (some: readonly number[]): number[] =>
    some.toSorted((left, right) => {
      const [first, second] = [rankOf(left), rankOf(right)];
      return first === second ? left - right : second - first;
    });
  const ranks = Float64Array.from(passages, rankOf).sort();
  const least = ranks[Math.max(0, ranks.length - likely)] ?? 0;
  yield* inOrder(passages.filter((passage) => rankOf(passage) >= least));
  yield* inOrder(passages.filter((passage) => rankOf(passage) < least));
}

export function timesOf(passages: readonly Passage[]): Float64Array {
  return Float64Array.from(passages, ({ timeMs }) => timeMs ?? Number.NaN);
}

export function importancesOf(passages: readonly Passage[]): Float32Array {
  return Float32Array.from(passages, ({ importance }) => importance ?? Number.NaN);
}
