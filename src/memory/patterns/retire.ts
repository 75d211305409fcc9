import { wilson } from './statistics.ts';

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
