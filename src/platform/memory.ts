import v8 from 'node:v8';

/** In percent of what was alive at the last collection: how far the heap may grow before the next one. */
const GROWTH_PERCENT = { reading: 30, serving: 60 } as const;

/**
 * Left to itself, V8 lets the heap grow to several times what is in use before anything is collected. For work that reads
 * more than it keeps, such as an import (530 MB instead of 400 for a thousand sessions, at the same speed), and for a
 * server that answers for days and would look as if it leaked (`npm run bench:http`).
 */
export function collectSooner(work: keyof typeof GROWTH_PERCENT): void {
  v8.setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT[work]}`);
}
