import type { StatementSync } from 'node:sqlite';
import type { PostingBuilder } from '../lexical/builder.ts';
import {
  PostingBuffer,
  type Segment,
  chooseExcess,
  chooseSmall,
  decodePostings,
  encodePostings,
} from '../lexical/postings.ts';
import type { Corpus } from '../resident/corpus.ts';
import { damaged } from '../port.ts';
import type { IndexDatabase, Row } from './index-database.ts';

/**
 * Postings are written in segments: a small one for every change, merged into larger ones from time to time, so that a
 * change does not touch the long lists. A term is looked for in all of them.
 */

export function readPostings(database: IndexDatabase, term: string, into: PostingBuffer): void {
  const sql = 'SELECT body FROM segments CROSS JOIN postings ON segment = segments.number WHERE term = ?';
  for (const [body] of database.rows(sql, term)) decodePostings(bodyOf(body), into);
}

export function writeSegment(database: IndexDatabase, builder: PostingBuilder): void {
  if (builder.isEmpty) return;
  const buffer = new PostingBuffer();
  writeAll(database, function* encoded() {
    // In the order of the table's key, so that every row is put at the end of it.
    for (const term of sortAsUtf8(Array.from(builder.terms))) {
      buffer.clear();
      builder.read(term, buffer);
      buffer.sort();
      yield [term, encodePostings(buffer)];
    }
  });
}

/** Merges small segments. With a corpus, which must be up to date, postings of passages no longer in use are dropped. */
export function mergeSegments(database: IndexDatabase, corpus?: Corpus): void {
  merge(database, chooseSmall(listSegments(database)), corpus);
}

/** Keeps the number of segments within bounds where nobody finds a quiet moment. */
export function limitSegments(database: IndexDatabase): void {
  merge(database, chooseExcess(listSegments(database)), undefined);
}

function merge(database: IndexDatabase, segments: readonly Segment[], corpus: Corpus | undefined): void {
  const numbers = segments.map(({ number }) => number);
  if (numbers.length === 0) return;
  writeAll(database, () =>
    mergedPostings(database, numbers, (postings) => {
      if (corpus !== undefined) postings.dropDead(corpus);
    }),
  );
  removeSegments(database, numbers);
}

/** Writes all postings anew with other passage numbers; the order of the numbers must stay. */
export function renumberPostings(database: IndexDatabase, corpus: Corpus, newNumbers: Int32Array): void {
  const numbers = listSegments(database).map(({ number }) => number);
  writeAll(database, () =>
    mergedPostings(database, numbers, (postings) => {
      postings.dropDead(corpus);
      for (let index = 0; index < postings.length; index += 1) {
        postings.passages[index] = newNumbers[postings.passages[index] ?? 0] ?? 0;
      }
    }),
  );
  removeSegments(database, numbers);
}

function listSegments(database: IndexDatabase): Segment[] {
  return database
    .rows('SELECT number, bytes FROM segments ORDER BY number')
    .map((row) => ({ number: Number(row[0]), bytes: Number(row[1]) }));
}

function writeAll(database: IndexDatabase, postings: () => Iterable<readonly [string, Uint8Array]>): void {
  database.run('INSERT INTO segments (bytes) VALUES (0)');
  const segment = Number(database.row('SELECT max(number) FROM segments')?.[0]);
  const insert = database.prepare('INSERT INTO postings VALUES (?, ?, ?)');
  let bytes = 0;
  for (const [term, body] of postings()) {
    insert.run(segment, term, body);
    bytes += term.length + body.length;
  }
  database.run('UPDATE segments SET bytes = ? WHERE number = ?', bytes, segment);
}

function removeSegments(database: IndexDatabase, numbers: readonly number[]): void {
  for (const number of numbers) {
    database.run('DELETE FROM postings WHERE segment = ?', number);
    database.run('DELETE FROM segments WHERE number = ?', number);
  }
}

/** The postings of several segments, term by term; `tidy` is given each list before it is encoded. */
function* mergedPostings(
  database: IndexDatabase,
  numbers: readonly number[],
  tidy: (postings: PostingBuffer) => void,
): Generator<readonly [string, Uint8Array]> {
  const sql = 'SELECT term, body FROM postings WHERE segment = ? ORDER BY term';
  const cursors = numbers.map((number) => new SegmentCursor(database.prepareAnother(sql), number));
  const buffer = new PostingBuffer();
  for (;;) {
    let least: string | undefined;
    for (const { term } of cursors) {
      if (term !== undefined && (least === undefined || compareAsUtf8(term, least) < 0)) least = term;
    }
    if (least === undefined) return;
    buffer.clear();
    for (const cursor of cursors) {
      if (cursor.term !== least) continue;
      decodePostings(cursor.body, buffer);
      cursor.advance();
    }
    tidy(buffer);
    buffer.sort();
    if (buffer.length > 0) yield [least, encodePostings(buffer)];
  }
}

/** Walks over the terms of a segment. */
class SegmentCursor {
  readonly #rows: Iterator<unknown>;
  #row: Row | undefined;

  constructor(statement: StatementSync, segment: number) {
    this.#rows = statement.iterate(segment);
    this.advance();
  }

  get term(): string | undefined {
    const term = this.#row?.[0];
    return typeof term === 'string' ? term : undefined;
  }

  get body(): Uint8Array {
    return bodyOf(this.#row?.[1]);
  }

  advance(): void {
    const next = this.#rows.next();
    this.#row = next.done === true ? undefined : (next.value as Row);
  }
}

function bodyOf(value: Row[number] | undefined): Uint8Array {
  if (!(value instanceof Uint8Array)) throw damaged('a list of postings is empty');
  return value;
}

function sortAsUtf8(terms: string[]): string[] {
  const hasSurrogates = terms.some((term) => SURROGATES.test(term));
  // The built-in order is several times faster.
  return hasSurrogates ? terms.sort(compareAsUtf8) : terms.sort();
}

const SURROGATES = /[\ud800-\udfff]/;

/** SQLite's order of texts. JavaScript's differs for characters beyond 16 bits. */
function compareAsUtf8(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const leftUnit = left.charCodeAt(index);
    const rightUnit = right.charCodeAt(index);
    if (leftUnit !== rightUnit) return rankOfUnit(leftUnit) - rankOfUnit(rightUnit);
  }
  return left.length - right.length;
}

/** Surrogates stand for characters after all others. */
function rankOfUnit(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
