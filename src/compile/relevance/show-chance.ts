/** Keeps 0.29 × 100 from falling below 29. */
const ROUNDING_ERROR = 1e-9;

/** Rounds down: a chance below a threshold must not read as equal to it. */
export function showChance(chance: number): string {
  const percent = Math.floor(chance * 100 + ROUNDING_ERROR);
  return percent < 1 ? 'under 1 %' : `${percent} %`;
}
