/**
 * Posting lists as bytes: ascending passage numbers as differences, each followed by how often the term occurs there,
 * all as LEB128. A posting of a common term takes two bytes.
 */

export interface Posting {
  readonly passage: number;
  readonly frequency: number;
}

export function serializePostings(postings: readonly Posting[], start = 0): Buffer {
  const bytes: number[] = [];
  let previous = start;
  for (const { passage, frequency } of postings) {
    pushVarint(bytes, passage - previous);
    pushVarint(bytes, frequency);
    previous = passage;
  }
  return Buffer.from(bytes);
}

/** Calls back for each posting; no object per posting, because a question touches tens of thousands of them. */
export function forEachPosting(bytes: Uint8Array, visit: (passage: number, frequency: number) => void): void {
  let passage = 0;
  let at = 0;
  const { length } = bytes;
  while (at < length) {
    let byte = bytes[at++] ?? 0;
    let delta = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      delta |= (byte & 127) << shift;
    }
    byte = bytes[at++] ?? 0;
    let frequency = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++] ?? 0;
      frequency |= (byte & 127) << shift;
    }
    passage += delta;
    visit(passage, frequency);
  }
}

/** The passage of the last posting: where an append continues. */
export function lastPassage(bytes: Uint8Array): number {
  let last = 0;
  forEachPosting(bytes, (passage) => {
    last = passage;
  });
  return last;
}

function pushVarint(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest & 127) | 128);
    rest >>>= 7;
  }
  bytes.push(rest);
}
