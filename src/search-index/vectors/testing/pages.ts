import { quantize } from '../quantize.ts';
import { VECTORS_PER_PAGE, type VectorMatrix } from '../matrix.ts';

/** Numbers in [-1, 1) that are the same in every run. */
export function seededNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
}

export function randomVector(next: () => number, dimensions: number): Float32Array {
  return Float32Array.from({ length: dimensions }, next);
}

/** Fills the pages of these passages, replacing what they held. */
export function setVectors(matrix: VectorMatrix, vectors: ReadonlyMap<number, Float32Array>): void {
  const numbers = [...vectors.keys()].map((passage) => Math.floor(passage / VECTORS_PER_PAGE));
  for (const page of new Set(numbers)) {
    const codes = new Int8Array(VECTORS_PER_PAGE * matrix.dimensions);
    const scales = new Float32Array(VECTORS_PER_PAGE);
    for (const [passage, vector] of vectors) {
      if (Math.floor(passage / VECTORS_PER_PAGE) !== page) continue;
      const row = passage % VECTORS_PER_PAGE;
      const quantized = quantize(vector);
      codes.set(quantized.codes, row * matrix.dimensions);
      scales[row] = quantized.scale;
    }
    matrix.setPage(page, new Uint8Array(codes.buffer), scales);
  }
}

export function bitmapOf(passages: Iterable<number>): Uint8Array {
  const listed = [...passages];
  const bitmap = new Uint8Array((Math.max(0, ...listed) >> 3) + 1);
  for (const passage of listed) bitmap[passage >> 3] = (bitmap[passage >> 3] ?? 0) | (1 << (passage & 7));
  return bitmap;
}
