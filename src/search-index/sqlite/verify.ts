import { errorMessage } from '../../model/errors.ts';
import { decodePostings, PostingBuffer } from '../lexical/postings.ts';
import { AFTER_LABELS } from '../resident/labels.ts';
import { isDamaged } from '../damage.ts';
import type { IndexDatabase } from './index-database.ts';
import { Resident } from './resident.ts';
import { VECTORS_PER_ROW } from './vector-rows.ts';

/** More of a kind tell nothing new. */
const MAX_FINDINGS = 20;
/** A passage with more terms is written down as having so many. */
const MAX_LENGTH = 0xffff;

/** Whether the parts of the file agree with each other; what is wrong, in words. */
export async function verifyIndex(database: IndexDatabase): Promise<string[]> {
  try {
    return await database.read(() => {
      const findings = database
        .rows(`PRAGMA integrity_check(${MAX_FINDINGS})`)
        .map(([finding]) => String(finding))
        .filter((finding) => finding !== 'ok');
      if (findings.length > 0) return findings;
      // Loaded anew: what this process has in memory may be older than the damage.
      const resident = new Resident(database);
      resident.refresh();
      return [
        ...checkDocuments(database, resident),
        ...checkPostings(database, resident),
        ...checkVectors(database),
      ].slice(0, MAX_FINDINGS);
    });
  } catch (error) {
    if (isDamaged(error)) return [errorMessage(error)];
    throw error;
  }
}

function* checkDocuments(database: IndexDatabase, { corpus }: Resident): Generator<string> {
  let passages = 0;
  for (const row of database.rows('SELECT number, first, count, path FROM documents')) {
    const [number, first, count] = [Number(row[0]), Number(row[1]), Number(row[2])];
    passages += count;
    for (let passage = first; passage < first + count; passage += 1) {
      if (corpus.documents[passage] === number && corpus.spanFirst[passage] === first) continue;
      yield `${String(row[3])}: its passages are not where its entry says.`;
      break;
    }
    const sql = 'SELECT count(*) FROM passages WHERE number >= ? AND number < ?';
    const stored = Number(database.row(sql, first, first + count)?.[0]);
    if (stored !== count) yield `${String(row[3])}: ${stored} of ${count} passages are there.`;
  }
  const stored = Number(database.row('SELECT count(*) FROM passages')?.[0]);
  if (passages !== corpus.passages || stored !== passages) {
    yield `Documents have ${passages} passages, the layout ${corpus.passages}, the table ${stored}.`;
  }
}

/** A passage's length must be what its terms add up to. */
function* checkPostings(database: IndexDatabase, { corpus }: Resident): Generator<string> {
  const occurrences = new Float64Array(corpus.capacity);
  const postings = new PostingBuffer();
  const sql = 'SELECT body FROM segments CROSS JOIN postings ON segment = segments.number WHERE term >= ?';
  for (const row of database.prepare(sql).iterate(AFTER_LABELS) as Iterable<unknown>) {
    const [body] = row as readonly unknown[];
    if (!(body instanceof Uint8Array)) continue;
    postings.clear();
    decodePostings(body, postings);
    for (let index = 0; index < postings.length; index += 1) {
      const passage = postings.passages[index] ?? 0;
      occurrences[passage] = (occurrences[passage] ?? 0) + (postings.values[index] ?? 0);
    }
  }
  for (let passage = 0; passage < corpus.capacity; passage += 1) {
    if (!corpus.isLive(passage)) continue;
    const length = corpus.length(passage, passage + 1);
    const found = occurrences[passage] ?? 0;
    if (Math.min(found, MAX_LENGTH) !== length)
      yield `Passage ${passage} has ${length} terms, but ${found} are indexed.`;
  }
}

function* checkVectors(database: IndexDatabase): Generator<string> {
  const sql = `SELECT name, page, length(scales), length(codes), dimensions FROM vectors
    JOIN models ON models.number = vectors.model`;
  for (const [name, page, scales, codes, dimensions] of database.rows(sql)) {
    const isRight = scales === VECTORS_PER_ROW * 4 && codes === VECTORS_PER_ROW * Number(dimensions);
    if (!isRight) yield `Vectors of ${String(name)}: row ${String(page)} has the wrong size.`;
  }
}
