/**
 * `npm test` runs the short form of what repeats something at random; `npm run test:all`, which CI runs, the long one.
 * Files named `*.long.test.ts` belong to the long run altogether.
 */
export const isLongRun = process.env['MNEME_TEST_EFFORT'] === 'all';

/** The number of repetitions for this run. */
export function repetitions(short: number, long: number): number {
  return isLongRun ? long : short;
}

/** Each case whose number is a multiple of `every` in the short run, all of them in the long one. */
export function sample<T>(cases: readonly T[], every: number): readonly T[] {
  return isLongRun ? cases : cases.filter((_case, index) => index % every === 0);
}
