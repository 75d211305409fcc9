/** Secrets that take several lines reach less far than this; keys that reach farther have a beginning of their own. */
const MARGIN_CHARS = 4096;
const FAR_REACHING = '-----BEGIN';

/**
 * The lines of a text that were not in an earlier one, or not beside each other, with what stands around them. Undefined
 * when the whole text has to be looked at.
 */
export function changedParts(text: string, known: string): string | undefined {
  if (text.includes(FAR_REACHING)) return undefined;
  const lines = text.split('\n');
  const seams = findSeams(lines, known.split('\n'));
  const parts: string[] = [];
  let from = 0;
  for (const [first, last] of joinWindows(lines, seams)) {
    if (first > from) parts.push('\n');
    for (const line of lines.slice(first, last + 1)) parts.push(line);
    from = last + 1;
  }
  return parts.join('\n');
}

/** The lines at which the text stops to be what it was: new ones, and those that others stood before. */
function findSeams(lines: readonly string[], known: readonly string[]): number[] {
  const places = new Map<string, number[]>();
  for (const [place, line] of known.entries()) {
    const list = places.get(line);
    if (list === undefined) places.set(line, [place]);
    else list.push(place);
  }
  const seams: number[] = [];
  let at = 0;
  for (const [number, line] of lines.entries()) {
    if (line === known[at]) {
      at += 1;
      continue;
    }
    seams.push(number);
    const next = places.get(line)?.find((place) => place >= at);
    if (next !== undefined) at = next + 1;
  }
  // A cut at the end leaves its last line beside nothing.
  if (at < known.length) seams.push(lines.length - 1);
  return seams;
}

/** First and last line of everything that has to be looked at. */
function joinWindows(lines: readonly string[], seams: readonly number[]): (readonly [number, number])[] {
  const windows: [number, number][] = [];
  for (const seam of seams) {
    const last = windows.at(-1);
    const end = reach(lines, seam, 1);
    if (last !== undefined && seam <= last[1]) last[1] = end;
    else windows.push([Math.max(reach(lines, seam, -1), (last?.[1] ?? -1) + 1), end]);
  }
  return windows;
}

/** The farthest line within the margin, in one direction. */
function reach(lines: readonly string[], from: number, step: 1 | -1): number {
  let left = MARGIN_CHARS;
  let at = from;
  while (left > 0 && lines[at + step] !== undefined) {
    at += step;
    // Some rules reach over any number of blank lines.
    if (lines[at]?.trim() !== '') left -= (lines[at]?.length ?? 0) + 1;
  }
  return at;
}
