/** Typed arrays of a larger size with the same beginning. */
export function growInt32(array: Int32Array, size: number): Int32Array<ArrayBuffer> {
  const grown = new Int32Array(size);
  grown.set(array);
  return grown;
}

export function growUint16(array: Uint16Array, size: number): Uint16Array<ArrayBuffer> {
  const grown = new Uint16Array(size);
  grown.set(array);
  return grown;
}

export function growFloat32(array: Float32Array, size: number): Float32Array<ArrayBuffer> {
  const grown = new Float32Array(size);
  grown.set(array);
  return grown;
}

export function growFloat64(array: Float64Array, size: number): Float64Array<ArrayBuffer> {
  const grown = new Float64Array(size);
  grown.set(array);
  return grown;
}
