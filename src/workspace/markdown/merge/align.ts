import { diffArrays } from 'diff';

/** An alignment: for each index of the first sequence its partner in the second, or -1; partners only increase. */
export type Alignment = Int32Array;

/** Past this many differences an optimal alignment of repeated keys costs more than it is worth. */
const MAX_EDIT_LENGTH = 1000;

/** The distance to which a walk in step looks for a key after a difference. */
const MAX_SKIP = 64;

interface Span {
  readonly aStart: number;
  readonly aEnd: number;
  readonly bStart: number;
  readonly bEnd: number;
}

/**
 * Aligns equal keys of two sequences. Keys that are unique in both are aligned first and split the rest into small
 * spans (patience diff): near-linear on large files, and a repeated blank or metadata line never pulls apart what
 * belongs together.
 */
export function alignKeys(aKeys: readonly string[], bKeys: readonly string[]): Alignment {
  const numbers = new Map<string, number>();
  const toNumber = (key: string): number => {
    const known = numbers.get(key) ?? numbers.size;
    numbers.set(key, known);
    return known;
  };
  const a = aKeys.map(toNumber);
  const b = bKeys.map(toNumber);
  const partners = new Int32Array(a.length).fill(-1);
  const pending: Span[] = [{ aStart: 0, aEnd: a.length, bStart: 0, bEnd: b.length }];
  for (let span = pending.pop(); span !== undefined; span = pending.pop()) {
    const inner = alignEnds(a, b, span, partners);
    if (inner.aStart === inner.aEnd || inner.bStart === inner.bEnd) continue;
    const landmarks = alignUniqueKeys(a, b, inner);
    if (landmarks.length === 0) alignRepeatedKeys(a, b, inner, partners);
    else for (const part of splitAt(inner, landmarks)) pending.push(part);
    for (const [i, j] of landmarks) partners[i] = j;
  }
  return partners;
}

/** Aligns the common beginning and end, and returns what lies between. */
function alignEnds(a: readonly number[], b: readonly number[], span: Span, partners: Alignment): Span {
  let { aStart, aEnd, bStart, bEnd } = span;
  while (aStart < aEnd && bStart < bEnd && a[aStart] === b[bStart]) {
    partners[aStart] = bStart;
    aStart += 1;
    bStart += 1;
  }
  while (aStart < aEnd && bStart < bEnd && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd -= 1;
    bEnd -= 1;
    partners[aEnd] = bEnd;
  }
  return { aStart, aEnd, bStart, bEnd };
}

type Pair = readonly [number, number];

function alignUniqueKeys(a: readonly number[], b: readonly number[], span: Span): Pair[] {
  const inA = uniquePositions(a, span.aStart, span.aEnd);
  const inB = uniquePositions(b, span.bStart, span.bEnd);
  const candidates: Pair[] = [];
  for (const [key, i] of inA) {
    const j = inB.get(key);
    if (i !== undefined && j !== undefined) candidates.push([i, j]);
  }
  return longestIncreasing(candidates);
}

/** Key → position, in order of position; undefined for a key that occurs again. */
function uniquePositions(keys: readonly number[], start: number, end: number): Map<number, number | undefined> {
  const positions = new Map<number, number | undefined>();
  for (let at = start; at < end; at += 1) {
    const key = keys[at] ?? -1;
    positions.set(key, positions.has(key) ? undefined : at);
  }
  return positions;
}

/** The longest run of pairs, already increasing in their first number, that also increases in the second. */
function longestIncreasing(pairs: readonly Pair[]): Pair[] {
  const tails: number[] = [];
  const previous: number[] = [];
  for (const [at, [, value]] of pairs.entries()) {
    let low = 0;
    let high = tails.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tails[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    previous[at] = low === 0 ? -1 : (tails[low - 1] ?? -1);
    tails[low] = at;
  }
  const run: Pair[] = [];
  for (let at = tails.at(-1) ?? -1; at >= 0; at = previous[at] ?? -1) {
    const pair = pairs[at];
    if (pair !== undefined) run.push(pair);
  }
  return run.reverse();
}

function splitAt(span: Span, landmarks: readonly Pair[]): Span[] {
  const spans: Span[] = [];
  let { aStart, bStart } = span;
  for (const [i, j] of landmarks) {
    spans.push({ aStart, aEnd: i, bStart, bEnd: j });
    aStart = i + 1;
    bStart = j + 1;
  }
  spans.push({ aStart, aEnd: span.aEnd, bStart, bEnd: span.bEnd });
  return spans;
}

function alignRepeatedKeys(a: readonly number[], b: readonly number[], span: Span, partners: Alignment): void {
  const changes = diffArrays(a.slice(span.aStart, span.aEnd), b.slice(span.bStart, span.bEnd), {
    maxEditLength: MAX_EDIT_LENGTH,
  });
  if (changes === undefined) {
    alignInStep(a, b, span, partners);
    return;
  }
  let { aStart: i, bStart: j } = span;
  for (const change of changes) {
    if (!change.added && !change.removed) for (let k = 0; k < change.count; k += 1) partners[i + k] = j + k;
    if (!change.added) i += change.count;
    if (!change.removed) j += change.count;
  }
}

/** Walks both in step and, at a difference, skips to the nearest place where either has the other's key. */
function alignInStep(a: readonly number[], b: readonly number[], span: Span, partners: Alignment): void {
  let { aStart: i, bStart: j } = span;
  while (i < span.aEnd && j < span.bEnd) {
    let skip = 0;
    while (skip < MAX_SKIP && a[i + skip] !== b[j] && a[i] !== b[j + skip]) skip += 1;
    const skipsA = a[i + skip] === b[j] && i + skip < span.aEnd;
    const skipsB = !skipsA && a[i] === b[j + skip] && j + skip < span.bEnd;
    if (skipsA) i += skip;
    if (skipsB) j += skip;
    if (skipsA || skipsB) partners[i] = j;
    i += 1;
    j += 1;
  }
}
