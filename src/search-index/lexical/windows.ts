/**
 * Runs of neighbouring passages of one document. What a question asks for is often said over several turns; a window
 * that holds all of its words is better evidence than a passage that holds one of them.
 */
export interface WindowShape {
  /** Passages in a window. */
  readonly size: number;
  /** From the start of one window to the next; at most `size`. */
  readonly stride: number;
}

/** How many windows a document of that many passages has; the last one may be shorter. */
export function countWindows(passages: number, { size, stride }: WindowShape): number {
  return passages <= size ? 1 : 1 + Math.ceil((passages - size) / stride);
}

/** The first and last window (numbered within the document) that contain a passage. */
export function firstWindowOf(offset: number, { size, stride }: WindowShape): number {
  return Math.max(0, Math.ceil((offset - size + 1) / stride));
}

export function lastWindowOf(offset: number, passages: number, shape: WindowShape): number {
  return Math.min(Math.floor(offset / shape.stride), countWindows(passages, shape) - 1);
}
