/**
 * The product of a question's floats, in doubles, with the codes that begin at `start`. Four sums side by side: a single one would
 * wait for each addition before the next. The kernel adds in the same order, so both give the same number to the last bit.
 */
export function dotProduct(query: Float64Array, codes: Int8Array, start: number): number {
  const { length } = query;
  let [first, second, third, fourth] = [0, 0, 0, 0];
  for (let index = 0; index < length; index += 4) {
    const at = start + index;
    first += (query[index] ?? 0) * (codes[at] ?? 0);
    second += (query[index + 1] ?? 0) * (codes[at + 1] ?? 0);
    third += (query[index + 2] ?? 0) * (codes[at + 2] ?? 0);
    fourth += (query[index + 3] ?? 0) * (codes[at + 3] ?? 0);
  }
  return first + second + third + fourth;
}

/** The similarity of the query and a code, multiplied by `scale`. */
export function similarityOf(query: Float64Array, codes: Int8Array, start: number, scale: number): number {
  return Math.fround(dotProduct(query, codes, start) * scale);
}
