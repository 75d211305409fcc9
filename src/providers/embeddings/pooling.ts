/** Averages the vectors of each text's own tokens, leaving out the padding. `hidden` is [texts × sequence × width]. */
export function poolMean(
  hidden: Float32Array,
  lengths: readonly number[],
  sequence: number,
  width: number,
): Float32Array[] {
  return lengths.map((length, row) => {
    const mean = new Float32Array(width);
    const start = row * sequence * width;
    for (let position = start; position < start + length * width; position++) {
      const column = (position - start) % width;
      mean[column] = (mean[column] ?? 0) + (hidden[position] ?? 0) / length;
    }
    return mean;
  });
}

/** The vector of each text's first token, [CLS]. */
export function poolFirst(
  hidden: Float32Array,
  lengths: readonly number[],
  sequence: number,
  width: number,
): Float32Array[] {
  return lengths.map((_, row) => hidden.slice(row * sequence * width, (row * sequence + 1) * width));
}
