import { decodePostings, PostingBuffer } from '../lexical/postings.ts';
import type { Corpus } from './corpus.ts';

/** More of a kind tell nothing new. */
export const MAX_FINDINGS = 20;
/** A passage with more terms is written down as having so many. */
const MAX_LENGTH = 0xffff;

/** A document's row: its number, its first passage, how many it should have, its path, and how many are stored. */
export interface CheckedDocument {
  readonly number: number;
  readonly first: number;
  readonly count: number;
  readonly path: string;
  readonly stored: number;
}

/** Compares a document's row with the layout in memory. */
export function* checkDocument(corpus: Corpus, document: CheckedDocument): Generator<string> {
  const { number, first, count, path, stored } = document;
  for (let passage = first; passage < first + count; passage += 1) {
    if (corpus.documents[passage] === number && corpus.spanFirst[passage] === first) continue;
    yield `${path}: its passages are not where its entry says.`;
    break;
  }
  if (stored !== count) yield `${path}: ${stored} of ${count} passages are there.`;
}

export function* checkPassageCounts(corpus: Corpus, passages: number, stored: number): Generator<string> {
  if (passages === corpus.passages && stored === passages) return;
  yield `Documents have ${passages} passages, the layout ${corpus.passages}, the table ${stored}.`;
}

/** A passage's length must be what its terms add up to. */
export class TermCounts {
  readonly #corpus: Corpus;
  readonly #occurrences: Float64Array;
  readonly #postings = new PostingBuffer();

  constructor(corpus: Corpus) {
    this.#corpus = corpus;
    this.#occurrences = new Float64Array(corpus.capacity);
  }

  add(body: Uint8Array): void {
    const postings = this.#postings;
    postings.clear();
    decodePostings(body, postings);
    for (let index = 0; index < postings.length; index += 1) {
      const passage = postings.passages[index] ?? 0;
      this.#occurrences[passage] = (this.#occurrences[passage] ?? 0) + (postings.values[index] ?? 0);
    }
  }

  *problems(): Generator<string> {
    for (let passage = 0; passage < this.#corpus.capacity; passage += 1) {
      if (!this.#corpus.isLive(passage)) continue;
      const length = this.#corpus.length(passage, passage + 1);
      const found = this.#occurrences[passage] ?? 0;
      if (Math.min(found, MAX_LENGTH) !== length)
        yield `Passage ${passage} has ${length} terms, but ${found} are indexed.`;
    }
  }
}
