/** Weight of a common beginning, and up to how many letters of it: Winkler's figures, made for names. */
const PREFIX_WEIGHT = 0.1;
const MAX_PREFIX = 4;

/** The similarity of two short texts, 0 to 1: letters in common near the same place, and a common beginning. */
export function jaroWinkler(left: string, right: string): number {
  if (left === right) return 1;
  const jaro = jaroOf(left, right);
  let prefix = 0;
  while (prefix < MAX_PREFIX && prefix < left.length && left[prefix] === right[prefix]) prefix += 1;
  return jaro + prefix * PREFIX_WEIGHT * (1 - jaro);
}

function jaroOf(left: string, right: string): number {
  const reach = Math.max(0, Math.floor(Math.max(left.length, right.length) / 2) - 1);
  const taken = new Uint8Array(right.length);
  const matched: string[] = [];
  for (let at = 0; at < left.length; at += 1) {
    const end = Math.min(right.length, at + reach + 1);
    for (let other = Math.max(0, at - reach); other < end; other += 1) {
      if (taken[other] === 1 || left[at] !== right[other]) continue;
      taken[other] = 1;
      matched.push(left[at] ?? '');
      break;
    }
  }
  const count = matched.length;
  if (count === 0) return 0;
  let swapped = 0;
  let next = 0;
  for (let other = 0; other < right.length; other += 1) {
    if (taken[other] !== 1) continue;
    if (right[other] !== matched[next]) swapped += 1;
    next += 1;
  }
  return (count / left.length + count / right.length + (count - swapped / 2) / count) / 3;
}
