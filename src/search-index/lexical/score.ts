import type { Corpus } from './corpus.ts';
import { firstWindowOf, lastWindowOf, type WindowShape } from './windows.ts';

/** BM25's usual constants; how a repeated word saturates, and how much a long text is held against it. */
const K1 = 1.2;
const B = 0.75;

export interface QueryTerm {
  readonly term: string;
  readonly weight: number;
}

/** Calls back for every occurrence of a term: passage number and how often. */
export type PostingReader = (term: string, visit: (passage: number, frequency: number) => void) => void;

/** For each passage the best BM25 score among the windows of a shape that contain it. */
export function scoreWindows(
  corpus: Corpus,
  shape: WindowShape,
  terms: readonly QueryTerm[],
  readPostings: PostingReader,
): Float32Array {
  // A window is numbered by its first passage: windows of one document begin at different ones.
  const scores = new Float32Array(corpus.capacity);
  const frequencies = new Float32Array(corpus.capacity);
  const { count, averageLength } = corpus.windowStatistics(shape);
  for (const { term, weight } of terms) {
    const touched = collectFrequencies(corpus, shape, frequencies, (visit) => readPostings(term, visit));
    const rarity = Math.log(1 + (count - touched.length + 0.5) / (touched.length + 0.5)) * weight;
    for (const window of touched) {
      const frequency = frequencies[window] ?? 0;
      frequencies[window] = 0;
      const end = Math.min(window + shape.size, documentEnd(corpus, window));
      const relative = corpus.length(window, end) / averageLength;
      const gain = (rarity * frequency * (K1 + 1)) / (frequency + K1 * (1 - B + B * relative));
      scores[window] = (scores[window] ?? 0) + gain;
    }
  }
  return shape.size === 1 ? scores : spreadToPassages(corpus, shape, scores);
}

function documentEnd(corpus: Corpus, passage: number): number {
  return (corpus.documentFirst[passage] ?? 0) + (corpus.documentCount[passage] ?? 0);
}

/** Adds up a term's occurrences by window; returns the windows that have any. */
function collectFrequencies(
  corpus: Corpus,
  shape: WindowShape,
  frequencies: Float32Array,
  readAll: (visit: (passage: number, frequency: number) => void) => void,
): number[] {
  const touched: number[] = [];
  readAll((passage, frequency) => {
    const first = corpus.documentFirst[passage] ?? -1;
    if (first === -1) return;
    const offset = passage - first;
    const last = lastWindowOf(offset, corpus.documentCount[passage] ?? 0, shape);
    for (let window = firstWindowOf(offset, shape); window <= last; window += 1) {
      const start = first + window * shape.stride;
      if (frequencies[start] === 0) touched.push(start);
      frequencies[start] = (frequencies[start] ?? 0) + frequency;
    }
  });
  return touched;
}

function spreadToPassages(corpus: Corpus, shape: WindowShape, windows: Float32Array): Float32Array {
  const best = new Float32Array(corpus.capacity);
  for (let start = 0; start < windows.length; start += 1) {
    const score = windows[start] ?? 0;
    if (score === 0) continue;
    const end = Math.min(start + shape.size, documentEnd(corpus, start));
    for (let passage = start; passage < end; passage += 1) {
      if (score > (best[passage] ?? 0)) best[passage] = score;
    }
  }
  return best;
}
