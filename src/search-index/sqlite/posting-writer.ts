import type { Database } from '../../platform/sqlite.ts';
import { serializePostings, type Posting } from './varint.ts';

/** A segment that holds this many passages is closed: appending to its rows would rewrite ever larger blobs. */
const SEGMENT_PASSAGES = 16_384;

/** Adds postings to the newest segment; readers see them when the transaction is committed. */
export class PostingWriter {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Passages must come in ascending order, and after everything added before. */
  add(passages: readonly { readonly number: number; readonly terms: readonly string[] }[]): void {
    const first = passages[0];
    if (first === undefined) return;
    const segment = Math.floor(first.number / SEGMENT_PASSAGES);
    const find = this.#database.prepare('SELECT last, postings FROM postings WHERE term = ? AND segment = ?');
    const save = this.#database.prepare('INSERT OR REPLACE INTO postings (term, segment, last, postings) VALUES (?, ?, ?, ?)');
    for (const [term, postings] of groupByTerm(passages)) {
      const row = find.get(term, segment);
      const last = postings.at(-1)?.passage ?? 0;
      if (row === undefined) save.run(term, segment, last, serializePostings(postings));
      else {
        const added = serializePostings(postings, Number(row['last']));
        save.run(term, segment, last, Buffer.concat([row['postings'] as Uint8Array, added]));
      }
    }
  }
}

function groupByTerm(
  passages: readonly { readonly number: number; readonly terms: readonly string[] }[],
): Map<string, Posting[]> {
  const byTerm = new Map<string, Posting[]>();
  for (const { number, terms } of passages) {
    const frequencies = new Map<string, number>();
    for (const term of terms) frequencies.set(term, (frequencies.get(term) ?? 0) + 1);
    for (const [term, frequency] of frequencies) {
      const postings = byTerm.get(term);
      if (postings === undefined) byTerm.set(term, [{ passage: number, frequency }]);
      else postings.push({ passage: number, frequency });
    }
  }
  return byTerm;
}
