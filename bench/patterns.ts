/**
 * Whether planted patterns are found in synthetic years, and nothing in the same years with their times dealt out anew.
 *
 *   npm run bench:patterns -- [--years 40] [--json]
 */
import { parseArgs } from 'node:util';
import { minePatterns } from '../src/memory/patterns/mine.ts';
import { makeYear, permuteTimes } from './patterns/synthetic.ts';
import { percentile, printResult } from './support.ts';

const { values: options } = parseArgs({
  options: {
    years: { type: 'string', default: '40' },
    json: { type: 'boolean', default: false },
    missed: { type: 'boolean', default: false },
  },
});

let planted = 0;
let found = 0;
let all = 0;
let unplanted = 0;
let byChance = 0;
const tookMs: number[] = [];
for (let seed = 1; seed <= Number(options.years); seed += 1) {
  const year = makeYear(seed);
  const startedMs = performance.now();
  const patterns = minePatterns(year.occurrences);
  tookMs.push(performance.now() - startedMs);
  planted += year.planted.length;
  all += patterns.length;
  for (const each of year.planted) {
    if (patterns.some(({ key }) => each.isFoundAs(key))) found += 1;
    else if (options.missed) process.stderr.write(`${seed}: ${each.name} was not found\n`);
  }
  const others = patterns.filter(({ key }) => !year.planted.some((each) => each.isFoundAs(key)));
  unplanted += others.length;
  if (options.missed) for (const { key } of others) process.stderr.write(`${seed}: found besides: ${key}\n`);
  // What is chosen has nothing to do with time, and stays true.
  byChance += minePatterns(permuteTimes(year.occurrences, seed)).filter(
    ({ shape }) => shape.kind !== 'preference',
  ).length;
}

printResult(options.json, 'Patterns: planted ones found, chance left alone', {
  years: Number(options.years),
  recall: found / planted,
  patternsPerYear: all / Number(options.years),
  // Nothing else was planted, but a weekly habit can make another thing look weekly.
  unplantedShare: unplanted / Math.max(1, all),
  foundInPermutedTimes: byChance,
  // Of all that would be reported if half of what one looks at had patterns and half had none.
  falseDiscoveryRate: byChance / Math.max(1, byChance + all),
  mineP95Ms: percentile(tookMs, 0.95),
});
