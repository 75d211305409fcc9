/**
 * Number of single-letter changes (insert, delete, replace, swap two neighbours) between two words; anything above
 * `limit` is reported as `limit + 1`, which lets hopeless pairs end early.
 */
export function editDistance(one: string, other: string, limit: number): number {
  if (one === other) return 0;
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  const shared = sharedPrefix(one, other);
  return innerDistance(one.slice(shared), other.slice(shared), limit);
}

function sharedPrefix(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

function innerDistance(one: string, other: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    let best = row;
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let cost = Math.min(
        (last[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      const isSwap = row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      if (isSwap) cost = Math.min(cost, (beforeLast[column - 2] ?? 0) + 1);
      current.push(cost);
      best = Math.min(best, cost);
    }
    if (best > limit) return limit + 1;
    beforeLast = last;
    last = current;
  }
  return Math.min(last[other.length] ?? 0, limit + 1);
}

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
