import { errorMessage } from '../../model/errors.ts';
import { isDamaged } from '../port.ts';
import { decodePostings, PostingBuffer } from '../lexical/postings.ts';
import { AFTER_LABELS } from '../resident/labels.ts';
import { Resident } from './resident.ts';
import { allPostings } from './segments.ts';
import type { PostgresServer, Transaction } from './server.ts';

/** More of a kind tell nothing new. */
const MAX_FINDINGS = 20;
/** A passage with more terms is written down as having so many. */
const MAX_LENGTH = 0xffff;

/** Whether the tables agree with each other; what is wrong, in words. */
export async function verifyIndex(server: PostgresServer): Promise<string[]> {
  try {
    return await server.read(async (transaction) => {
      // Loaded anew: what this process has in memory may be older than the damage.
      const resident = new Resident();
      await resident.refresh(transaction, true);
      const findings: string[] = [];
      for await (const finding of findProblems(transaction, resident)) {
        findings.push(finding);
        if (findings.length === MAX_FINDINGS) break;
      }
      return findings;
    });
  } catch (error) {
    if (isDamaged(error)) return [errorMessage(error)];
    throw error;
  }
}

async function* findProblems(transaction: Transaction, resident: Resident): AsyncGenerator<string> {
  yield* checkDocuments(transaction, resident);
  yield* checkPostings(transaction, resident);
  yield* checkVectors(transaction);
}

async function* checkDocuments(transaction: Transaction, { corpus }: Resident): AsyncGenerator<string> {
  let passages = 0;
  const rows = await transaction.rows(
    `SELECT d.number, first, count, path, (SELECT count(*) FROM passages p WHERE p.namespace = {ns}
       AND p.number >= d.first AND p.number < d.first + d.count) FROM documents d WHERE namespace = {ns}`,
  );
  for (const row of rows) {
    const [number, first, count, stored] = [Number(row[0]), Number(row[1]), Number(row[2]), Number(row[4])];
    passages += count;
    for (let passage = first; passage < first + count; passage += 1) {
      if (corpus.documents[passage] === number && corpus.spanFirst[passage] === first) continue;
      yield `${String(row[3])}: its passages are not where its entry says.`;
      break;
    }
    if (stored !== count) yield `${String(row[3])}: ${stored} of ${count} passages are there.`;
  }
  const stored = Number((await transaction.row('SELECT count(*) FROM passages WHERE namespace = {ns}'))?.[0]);
  if (passages !== corpus.passages || stored !== passages) {
    yield `Documents have ${passages} passages, the layout ${corpus.passages}, the table ${stored}.`;
  }
}

/** A passage's length must be what its terms add up to. */
async function* checkPostings(transaction: Transaction, { corpus }: Resident): AsyncGenerator<string> {
  const occurrences = new Float64Array(corpus.capacity);
  const postings = new PostingBuffer();
  const segments = await transaction.rows('SELECT number FROM segments WHERE namespace = {ns}');
  const numbers = segments.map(([number]) => Number(number));
  for await (const [term, body] of allPostings(transaction, numbers)) {
    if (term < AFTER_LABELS) continue;
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

async function* checkVectors(transaction: Transaction): AsyncGenerator<string> {
  const rows = await transaction.rows(
    `SELECT name, count(*) FROM vectors v JOIN models m ON m.namespace = {ns} AND m.number = v.model
     WHERE v.namespace = {ns} AND embedding IS NOT NULL AND vector_dims(embedding) <> m.dimensions GROUP BY name`,
  );
  for (const [name, count] of rows) yield `Vectors of ${String(name)}: ${String(count)} have the wrong size.`;
}
