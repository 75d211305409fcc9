/** A part of the postings that was written in one go. */
export interface Segment {
  readonly number: number;
  readonly bytes: number;
}

/** More than these would make every lookup slow; the change that exceeds it merges. */
const MAX_SEGMENTS = 40;
/** Segments that a change merges itself, so that it does not take long; the rest is left for quiet moments. */
const SMALL_BYTES = 256 * 1024;

/** Segments that a change must merge to stay within bounds where there are no quiet moments. */
export function chooseExcess(segments: readonly Segment[]): Segment[] {
  if (segments.length <= MAX_SEGMENTS) return [];
  const small = chooseSmall(segments.filter(({ bytes }) => bytes <= SMALL_BYTES));
  return small.length > MAX_SEGMENTS / 2 ? small : chooseSmall(segments);
}

/** The smallest segments up to the first that is much larger than those together: sizes then grow like powers of two. */
export function chooseSmall(segments: readonly Segment[]): Segment[] {
  const bySize = segments.toSorted((left, right) => left.bytes - right.bytes);
  const chosen: Segment[] = [];
  let bytes = 0;
  for (const segment of bySize) {
    if (chosen.length > 0 && segment.bytes > 2 * bytes) break;
    chosen.push(segment);
    bytes += segment.bytes;
  }
  // Oldest first: lists of one segment then mostly continue those of the one before.
  return chosen.length > 1 ? chosen.sort((left, right) => left.number - right.number) : [];
}
