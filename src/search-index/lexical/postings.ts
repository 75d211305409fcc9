import { MnemeError } from '../../model/errors.ts';
import type { Corpus } from '../resident/corpus.ts';
import { grow } from '../resident/bitmap.ts';

/**
 * Where a term occurs: passage numbers, each with a value. For a word the value is how often it occurs there; for a
 * label (`labels.ts`) it is how many passages in a row bear it. One is kept and refilled, term after term.
 */
export class PostingBuffer {
  passages = new Int32Array(1024);
  values = new Int32Array(1024);
  length = 0;

  clear(): void {
    this.length = 0;
  }

  push(passage: number, value: number): void {
    if (this.length === this.passages.length) this.reserve(this.length + 1);
    this.passages[this.length] = passage;
    this.values[this.length] = value;
    this.length += 1;
  }

  reserve(size: number): void {
    if (size <= this.passages.length) return;
    const grown = Math.max(size, 2 * this.passages.length);
    this.passages = grow(this.passages, grown);
    this.values = grow(this.values, grown);
  }

  /** Removes the passages of documents that were replaced or removed after they had been written down. */
  dropDead(corpus: Corpus): void {
    const { passages, values } = this;
    const { spanFirst } = corpus;
    let kept = 0;
    for (let index = 0; index < this.length; index += 1) {
      const passage = passages[index] ?? 0;
      if ((spanFirst[passage] ?? -1) === -1) continue;
      passages[kept] = passage;
      values[kept] = values[index] ?? 0;
      kept += 1;
    }
    this.length = kept;
  }

  /** Passages that grew in place are written down after later ones; encoding needs them in order. */
  sort(): void {
    const { passages, values, length } = this;
    let isSorted = true;
    for (let index = 1; index < length && isSorted; index += 1) {
      isSorted = (passages[index - 1] ?? 0) <= (passages[index] ?? 0);
    }
    if (isSorted) return;
    const order = Uint32Array.from({ length }, (_, index) => index).sort(
      (left, right) => (passages[left] ?? 0) - (passages[right] ?? 0),
    );
    passages.set(Int32Array.from(order, (index) => passages[index] ?? 0));
    values.set(Int32Array.from(order, (index) => values[index] ?? 0));
  }
}

/** Fills the buffer with a term's postings; those of passages no longer in use may be among them. */
export type PostingReader = (term: string, into: PostingBuffer) => void;

const MAX_VARINT_BYTES = 5;

/**
 * Passage numbers as differences, in bytes of seven bits. The lowest bit of a difference says that the value is 1, as
 * it mostly is, and then the value is left out.
 */
export function encodePostings({ passages, values, length }: PostingBuffer): Uint8Array<ArrayBuffer> {
  const bytes = encodingRoom(length * 2 * MAX_VARINT_BYTES);
  let size = 0;
  let previous = 0;
  const write = (value: number): void => {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) bytes[size++] = (rest & 0x7f) | 0x80;
    bytes[size++] = rest;
  };
  for (let index = 0; index < length; index += 1) {
    const passage = passages[index] ?? 0;
    const value = values[index] ?? 1;
    write(((passage - previous) << 1) | (value === 1 ? 1 : 0));
    if (value !== 1) write(value);
    previous = passage;
  }
  return bytes.slice(0, size);
}

let room = new Uint8Array(0);

/** Kept, because most lists are short and there are many. */
function encodingRoom(bytes: number): Uint8Array<ArrayBuffer> {
  if (room.length < bytes) room = new Uint8Array(bytes * 2);
  return room;
}

/** Adds what `encodePostings` wrote to the buffer. */
export function decodePostings(bytes: Uint8Array, into: PostingBuffer): void {
  const size = bytes.length;
  into.reserve(into.length + size);
  const { passages, values } = into;
  let { length } = into;
  let passage = 0;
  let at = 0;
  while (at < size) {
    let byte = bytes[at++] ?? 0;
    let head = byte & 0x7f;
    for (let shift = 7; byte > 0x7f && at < size; shift += 7) {
      byte = bytes[at++] ?? 0;
      head |= (byte & 0x7f) << shift;
    }
    passage += head >>> 1;
    let value = 1;
    if ((head & 1) === 0) {
      if (at >= size) throw damagedPostings();
      byte = bytes[at++] ?? 0;
      value = byte & 0x7f;
      for (let shift = 7; byte > 0x7f && at < size; shift += 7) {
        byte = bytes[at++] ?? 0;
        value |= (byte & 0x7f) << shift;
      }
    }
    if (byte > 0x7f) throw damagedPostings();
    passages[length] = passage;
    values[length] = value;
    length += 1;
  }
  into.length = length;
}

function damagedPostings(): MnemeError {
  return new MnemeError('integrity', 'A list of postings in the search index breaks off.', {
    hint: 'Rebuild the index; nothing is lost by that.',
  });
}

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
