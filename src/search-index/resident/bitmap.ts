/** A set of passage numbers: bit `p & 7` of byte `p >> 3`. */
export function makeBitmap(capacity: number): Uint8Array {
  return new Uint8Array((capacity + 7) >> 3);
}

export function hasBit(bitmap: Uint8Array, index: number): boolean {
  return ((bitmap[index >> 3] ?? 0) & (1 << (index & 7))) !== 0;
}

export function setBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) | (1 << (index & 7));
}

export function clearBit(bitmap: Uint8Array, index: number): void {
  bitmap[index >> 3] = (bitmap[index >> 3] ?? 0) & ~(1 << (index & 7));
}

export function setRange(bitmap: Uint8Array, first: number, end: number): void {
  let index = first;
  for (; index < end && (index & 7) !== 0; index += 1) setBit(bitmap, index);
  const wholeBytes = (end - index) >> 3;
  if (wholeBytes > 0) {
    bitmap.fill(0xff, index >> 3, (index >> 3) + wholeBytes);
    index += wholeBytes << 3;
  }
  for (; index < end; index += 1) setBit(bitmap, index);
}

/** Keeps in `bitmap` only what `other` has too. */
export function intersect(bitmap: Uint8Array, other: Uint8Array): void {
  for (let byte = 0; byte < bitmap.length; byte += 1) bitmap[byte] = (bitmap[byte] ?? 0) & (other[byte] ?? 0);
}

type TypedArray = Int32Array | Uint16Array | Float32Array | Float64Array;

/** A typed array of a larger size with the same beginning. */
export function grow<Grown extends TypedArray>(array: Grown, size: number): Grown {
  const grown = new (array.constructor as new (size: number) => Grown)(size);
  grown.set(array);
  return grown;
}
