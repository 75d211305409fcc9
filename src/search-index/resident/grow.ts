type TypedArray = Int32Array | Uint16Array | Float32Array | Float64Array;

/** A typed array of a larger size with the same beginning. */
export function grow<Grown extends TypedArray>(array: Grown, size: number): Grown {
  const grown = new (array.constructor as new (size: number) => Grown)(size);
  grown.set(array);
  return grown;
}
