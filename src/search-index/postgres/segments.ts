import { damaged } from '../port.ts';
import type { PostingBuilder } from '../lexical/builder.ts';
import {
  PostingBuffer,
  type PostingReader,
  type Segment,
  chooseExcess,
  chooseSmall,
  decodePostings,
  encodePostings,
} from '../lexical/postings.ts';
import type { Corpus } from '../resident/corpus.ts';
import { storable } from './rows.ts';
import type { Transaction } from './server.ts';

/** Rows sent or fetched at once; bounds what a large merge holds in memory. */
const ROWS_AT_ONCE = 4000;

/** Fetches the postings of all these terms in one go; the reader then answers at once, as scoring needs it. */
export async function fetchPostings(transaction: Transaction, terms: readonly string[]): Promise<PostingReader> {
  const wanted = [...new Set(terms.map(storable))];
  const bodies = new Map<string, Uint8Array[]>();
  if (wanted.length > 0) {
    const sql = 'SELECT term, body FROM postings WHERE namespace = {ns} AND term = ANY($1) ORDER BY term, segment';
    for (const [term, body] of await transaction.rows(sql, wanted)) {
      const list = bodies.get(String(term));
      if (list === undefined) bodies.set(String(term), [bodyOf(body)]);
      else list.push(bodyOf(body));
    }
  }
  return (term, into) => {
    for (const body of bodies.get(storable(term)) ?? []) decodePostings(body, into);
  };
}

export async function writeSegment(transaction: Transaction, builder: PostingBuilder): Promise<void> {
  if (builder.isEmpty) return;
  const buffer = new PostingBuffer();
  const writer = await SegmentWriter.begin(transaction);
  for (const term of builder.terms) {
    buffer.clear();
    builder.read(term, buffer);
    buffer.sort();
    await writer.add(storable(term), encodePostings(buffer));
  }
  await writer.end();
}

/** Merges small segments; postings of passages no longer in use are dropped. */
export async function mergeSegments(transaction: Transaction, corpus: Corpus): Promise<void> {
  await merge(transaction, chooseSmall(await listSegments(transaction)), (postings) => postings.dropDead(corpus));
}

/** Keeps the number of segments within bounds where nobody finds a quiet moment. */
export async function limitSegments(transaction: Transaction): Promise<void> {
  await merge(transaction, chooseExcess(await listSegments(transaction)), () => undefined);
}

/** Writes all postings anew with other passage numbers; the order of the numbers must stay. */
export async function renumberPostings(
  transaction: Transaction,
  corpus: Corpus,
  newNumbers: Int32Array,
): Promise<void> {
  await merge(transaction, await listSegments(transaction), (postings) => {
    postings.dropDead(corpus);
    for (let index = 0; index < postings.length; index += 1) {
      postings.passages[index] = newNumbers[postings.passages[index] ?? 0] ?? 0;
    }
  });
}

async function listSegments(transaction: Transaction): Promise<Segment[]> {
  const rows = await transaction.rows('SELECT number, bytes FROM segments WHERE namespace = {ns} ORDER BY number');
  return rows.map(([number, bytes]) => ({ number: Number(number), bytes: Number(bytes) }));
}

async function merge(
  transaction: Transaction,
  segments: readonly Segment[],
  tidy: (postings: PostingBuffer) => void,
): Promise<void> {
  const numbers = segments.map(({ number }) => number);
  if (numbers.length === 0) return;
  const writer = await SegmentWriter.begin(transaction);
  const buffer = new PostingBuffer();
  let current: string | undefined;
  const finish = async (): Promise<void> => {
    if (current === undefined) return;
    tidy(buffer);
    buffer.sort();
    if (buffer.length > 0) await writer.add(current, encodePostings(buffer));
    buffer.clear();
  };
  for await (const [term, body] of allPostings(transaction, numbers)) {
    if (term !== current) {
      await finish();
      current = term;
    }
    decodePostings(body, buffer);
  }
  await finish();
  await writer.end();
  await transaction.rows('DELETE FROM postings WHERE namespace = {ns} AND segment = ANY($1)', numbers);
  await transaction.rows('DELETE FROM segments WHERE namespace = {ns} AND number = ANY($1)', numbers);
}

/** The rows of several segments by term; each term's oldest first. */
export async function* allPostings(
  transaction: Transaction,
  segments: readonly number[],
): AsyncGenerator<readonly [term: string, body: Uint8Array]> {
  let after: readonly [string, number] = ['', -1];
  for (;;) {
    const rows = await transaction.rows(
      `SELECT term, segment, body FROM postings WHERE namespace = {ns} AND segment = ANY($1)
         AND (term, segment) > ($2, $3) ORDER BY term, segment LIMIT ${ROWS_AT_ONCE}`,
      segments,
      after[0],
      after[1],
    );
    for (const [term, , body] of rows) yield [String(term), bodyOf(body)];
    const last = rows.at(-1);
    if (rows.length < ROWS_AT_ONCE || last === undefined) return;
    after = [String(last[0]), Number(last[1])];
  }
}

class SegmentWriter {
  readonly #transaction: Transaction;
  readonly #number: number;
  #terms: string[] = [];
  #bodies: Uint8Array[] = [];
  #bytes = 0;

  private constructor(transaction: Transaction, number: number) {
    this.#transaction = transaction;
    this.#number = number;
  }

  static async begin(transaction: Transaction): Promise<SegmentWriter> {
    const sql = 'SELECT coalesce(max(number), 0) + 1 FROM segments WHERE namespace = {ns}';
    return new SegmentWriter(transaction, Number((await transaction.row(sql))?.[0]));
  }

  async add(term: string, body: Uint8Array): Promise<void> {
    this.#terms.push(term);
    this.#bodies.push(body);
    this.#bytes += term.length + body.length;
    if (this.#terms.length >= ROWS_AT_ONCE) await this.#flush();
  }

  async end(): Promise<void> {
    await this.#flush();
    await this.#transaction.rows('INSERT INTO segments VALUES ({ns}, $1, $2)', this.#number, this.#bytes);
  }

  async #flush(): Promise<void> {
    if (this.#terms.length === 0) return;
    await this.#transaction.rows(
      'INSERT INTO postings SELECT {ns}, term, $1, body FROM unnest($2::text[], $3::bytea[]) AS given (term, body)',
      this.#number,
      this.#terms,
      this.#bodies,
    );
    this.#terms = [];
    this.#bodies = [];
  }
}

function bodyOf(value: unknown): Uint8Array {
  if (!(value instanceof Uint8Array)) throw damaged('a list of postings is empty');
  return value;
}
