/** 95 %, two-sided. */
const Z = 1.96;

/** The chance of `held` or more out of `tried` when each has the chance `expected`; exact. */
export function binomialTail(held: number, tried: number, expected: number): number {
  if (held <= 0) return 1;
  if (expected <= 0) return 0;
  if (expected >= 1) return 1;
  let log = 0;
  for (let count = 0; count < held; count += 1) log += Math.log((tried - count) / (held - count));
  log += held * Math.log(expected) + (tried - held) * Math.log1p(-expected);
  let term = Math.exp(log);
  let sum = 0;
  for (let count = held; count <= tried; count += 1) {
    sum += term;
    term *= ((tried - count) / (count + 1)) * (expected / (1 - expected));
    if (term < sum * 1e-12) break;
  }
  return Math.min(1, sum);
}

/** The interval of shares that the counts allow (Wilson). */
export function wilson(held: number, tried: number): { readonly low: number; readonly high: number } {
  if (tried === 0) return { low: 0, high: 1 };
  const share = held / tried;
  const middle = (share + (Z * Z) / (2 * tried)) / (1 + (Z * Z) / tried);
  const spread = (Z / (1 + (Z * Z) / tried)) * Math.sqrt((share * (1 - share)) / tried + (Z * Z) / (4 * tried * tried));
  return { low: Math.max(0, middle - spread), high: Math.min(1, middle + spread) };
}

/** Those that stay when at most the share `rate` of what is kept may be chance (Benjamini and Hochberg); `tests` counts all that were tried. */
export function keepBelowFalseRate<Found extends { readonly chance: number }>(
  found: readonly Found[],
  tests: number,
  rate: number,
): Found[] {
  const ranked = [...found].sort((one, other) => one.chance - other.chance);
  let last = -1;
  for (const [place, { chance }] of ranked.entries()) {
    if (chance <= ((place + 1) / tests) * rate) last = place;
  }
  return ranked.slice(0, last + 1);
}

/** Whether a pattern held when it could have. */
export interface Trial {
  readonly timeMs: number;
  readonly isHeld: boolean;
}

/** The newest trials that decide whether it still holds. */
const RECENT_SHARE = 1 / 4;
const MIN_RECENT = 5;
/** Of its earlier share, what it must still be able to have. */
const RETAINED = 0.6;

/** Of the newest trials even the most the counts allow falls short of what it was before. */
export function isHeldNoLonger(trials: readonly Trial[]): boolean {
  const ordered = [...trials].sort((one, other) => one.timeMs - other.timeMs);
  const recentCount = Math.max(MIN_RECENT, Math.round(ordered.length * RECENT_SHARE));
  if (ordered.length < recentCount * 2) return false;
  const shareOf = (part: readonly Trial[]): number => part.filter(({ isHeld }) => isHeld).length;
  const before = ordered.slice(0, -recentCount);
  const recent = ordered.slice(-recentCount);
  return wilson(shareOf(recent), recent.length).high < (shareOf(before) / before.length) * RETAINED;
}
