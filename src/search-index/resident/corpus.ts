import { grow } from './bitmap.ts';
import type { WindowShape } from '../lexical/windows.ts';

interface WindowStatistics {
  /** Windows of the shape in all documents. */
  count: number;
  /** Terms in all of them together. */
  totalLength: number;
}

const NO_DOCUMENT = 0;
const NO_SPAN = -1;

/**
 * The shape of the whole collection, small enough to stay in memory: which passages belong together and how long each
 * is. Passages of one document have consecutive numbers; a number whose document is 0 is not in use.
 */
export class Corpus {
  /** By passage: its document's number (0: none) and a code for what the document's filters look at. */
  documents = new Int32Array(0);
  attributes = new Uint16Array(0);
  /** By passage: where its document's passages begin and end; -1 for a number that is not in use. */
  spanFirst = new Int32Array(0);
  spanEnd = new Int32Array(0);
  /** Numbers from here on have never been used. */
  capacity = 0;
  /** Passages in use. */
  passages = 0;
  /** No document has ever had more passages. */
  longestDocument = 0;
  #lengths = new Uint16Array(0);
  #lengthsBefore = new Float64Array(1);
  readonly #statistics = new Map<string, { readonly shape: WindowShape; readonly sums: WindowStatistics }>();

  isLive(passage: number): boolean {
    return (this.documents[passage] ?? NO_DOCUMENT) !== NO_DOCUMENT;
  }

  /** Terms in the passages from `first` up to, not including, `end`. */
  length(first: number, end: number): number {
    return (this.#lengthsBefore[end] ?? 0) - (this.#lengthsBefore[first] ?? 0);
  }

  /** `length` for loops that cannot afford a call. */
  get lengthsBefore(): Float64Array {
    return this.#lengthsBefore;
  }

  /** Takes over what is known about the passages from `first` on, whatever was known before. */
  replace(first: number, documents: Int32Array, lengths: Uint16Array, attributes: Uint16Array): void {
    const end = first + documents.length;
    this.reserve(end);
    this.#forgetSpans(first, end);
    this.documents.set(documents, first);
    this.attributes.set(attributes, first);
    const haveLengthsChanged = lengths.some((length, index) => this.#lengths[first + index] !== length);
    this.#lengths.set(lengths, first);
    if (haveLengthsChanged || end > this.capacity) this.#sumLengths(first, end);
  }

  /** To be called after `replace` for the same numbers; apart from it because documents cross page borders. */
  findSpans(first: number, end: number): void {
    const { documents, spanFirst } = this;
    for (let passage = first; passage < end; passage += 1) {
      const document = documents[passage] ?? NO_DOCUMENT;
      if (document === NO_DOCUMENT || spanFirst[passage] !== NO_SPAN) continue;
      let spanBegin = passage;
      while (spanBegin > 0 && documents[spanBegin - 1] === document) spanBegin -= 1;
      let spanEnd = passage + 1;
      while (spanEnd < this.capacity && documents[spanEnd] === document) spanEnd += 1;
      this.spanFirst.fill(spanBegin, spanBegin, spanEnd);
      this.spanEnd.fill(spanEnd, spanBegin, spanEnd);
      this.longestDocument = Math.max(this.longestDocument, spanEnd - spanBegin);
      this.#count(spanBegin, spanEnd, 1);
    }
  }

  addDocument(document: number, first: number, lengths: Uint16Array, attribute: number): void {
    const { length } = lengths;
    this.replace(first, new Int32Array(length).fill(document), lengths, new Uint16Array(length).fill(attribute));
    this.findSpans(first, first + length);
  }

  removeDocument(first: number, count: number): void {
    this.#forgetSpans(first, first + count);
    this.documents.fill(NO_DOCUMENT, first, first + count);
  }

  /** Number and average length of the windows of a shape, for BM25. */
  windowStatistics(shape: WindowShape): { readonly count: number; readonly averageLength: number } {
    const key = `${shape.size}/${shape.stride}`;
    let known = this.#statistics.get(key);
    if (known === undefined) {
      known = { shape, sums: { count: 0, totalLength: 0 } };
      this.#addWindows(shape, known.sums, 0, this.capacity, 1);
      this.#statistics.set(key, known);
    }
    const { count, totalLength } = known.sums;
    return { count, averageLength: count === 0 ? 1 : Math.max(1, totalLength / count) };
  }

  #forgetSpans(first: number, end: number): void {
    for (let passage = first; passage < end && passage < this.capacity; passage += 1) {
      const spanBegin = this.spanFirst[passage] ?? NO_SPAN;
      if (spanBegin === NO_SPAN) continue;
      const spanEnd = this.spanEnd[passage] ?? NO_SPAN;
      this.#count(spanBegin, spanEnd, -1);
      this.spanFirst.fill(NO_SPAN, spanBegin, spanEnd);
      this.spanEnd.fill(NO_SPAN, spanBegin, spanEnd);
      passage = spanEnd - 1;
    }
  }

  #count(first: number, end: number, sign: 1 | -1): void {
    this.passages += sign * (end - first);
    for (const { shape, sums } of this.#statistics.values()) this.#addWindows(shape, sums, first, end, sign);
  }

  /** Counts the windows of all documents from `first` to `end`: one loop, which a new process runs for all of them. */
  #addWindows({ size, stride }: WindowShape, sums: WindowStatistics, first: number, end: number, sign: 1 | -1): void {
    const { spanEnd } = this;
    const lengthsBefore = this.#lengthsBefore;
    let count = 0;
    let totalLength = 0;
    for (let start = first, documentFirst = first; start < end;) {
      const documentEnd = spanEnd[documentFirst] ?? NO_SPAN;
      if (documentEnd === NO_SPAN) {
        documentFirst += 1;
        start = documentFirst;
        continue;
      }
      const isLast = start + size >= documentEnd;
      count += 1;
      totalLength += (lengthsBefore[isLast ? documentEnd : start + size] ?? 0) - (lengthsBefore[start] ?? 0);
      if (isLast) documentFirst = documentEnd;
      start = isLast ? documentEnd : start + stride;
    }
    sums.count += sign * count;
    sums.totalLength += sign * totalLength;
  }

  /** Sums are of all numbers, in use or not: a window never reaches beyond its document. */
  #sumLengths(first: number, end: number): void {
    const from = Math.min(first, this.capacity);
    this.capacity = Math.max(this.capacity, end);
    let sum = this.#lengthsBefore[from] ?? 0;
    for (let passage = from; passage < this.capacity; passage += 1) {
      sum += this.#lengths[passage] ?? 0;
      this.#lengthsBefore[passage + 1] = sum;
    }
  }

  /** Makes room at once for what will be added bit by bit. */
  reserve(capacity: number): void {
    const old = this.documents.length;
    if (capacity <= old) return;
    const size = Math.max(1024, Math.ceil(capacity * 1.25));
    this.documents = grow(this.documents, size);
    this.attributes = grow(this.attributes, size);
    this.spanFirst = grow(this.spanFirst, size).fill(NO_SPAN, old);
    this.spanEnd = grow(this.spanEnd, size).fill(NO_SPAN, old);
    this.#lengths = grow(this.#lengths, size);
    this.#lengthsBefore = grow(this.#lengthsBefore, size + 1);
  }
}
