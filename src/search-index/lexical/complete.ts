import { compareTexts } from '../../model/text.ts';
import { hasBit } from '../resident/bitmap.ts';
import type { Corpus } from '../resident/corpus.ts';
import { PostingBuffer, type PostingReader } from './postings.ts';

/** Two letters begin thousands of words; only those with the longest lists of postings are compared. */
export const MAX_COMPARED = 200;

/** The terms, those in most of the allowed passages first; those in none are left out. */
export function mostUsed(
  terms: readonly string[],
  readPostings: PostingReader,
  { corpus, allowed }: { readonly corpus: Corpus; readonly allowed: Uint8Array },
  limit: number,
): readonly string[] {
  const postings = new PostingBuffer();
  const used = terms.map((term) => {
    postings.clear();
    readPostings(term, postings);
    postings.dropDead(corpus);
    const passages = postings.passages.subarray(0, postings.length).filter((passage) => hasBit(allowed, passage));
    return { term, passages: passages.length };
  });
  return used
    .filter(({ passages }) => passages > 0)
    .sort((left, right) => right.passages - left.passages || compareTexts(left.term, right.term))
    .slice(0, limit)
    .map(({ term }) => term);
}
