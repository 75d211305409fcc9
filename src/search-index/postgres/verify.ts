import { errorMessage } from '../../model/errors.ts';
import { isDamaged } from '../port.ts';
import { AFTER_LABELS } from '../resident/labels.ts';
import { checkDocument, checkPassageCounts, MAX_FINDINGS, TermCounts } from '../resident/verify.ts';
import { Resident } from './resident.ts';
import { allPostings } from './segments.ts';
import type { PostgresServer, Transaction } from './server.ts';

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
    yield* checkDocument(corpus, { number, first, count, path: String(row[3]), stored });
  }
  const stored = Number((await transaction.row('SELECT count(*) FROM passages WHERE namespace = {ns}'))?.[0]);
  yield* checkPassageCounts(corpus, passages, stored);
}

async function* checkPostings(transaction: Transaction, { corpus }: Resident): AsyncGenerator<string> {
  const counts = new TermCounts(corpus);
  const segments = await transaction.rows('SELECT number FROM segments WHERE namespace = {ns}');
  const numbers = segments.map(([number]) => Number(number));
  for await (const [term, body] of allPostings(transaction, numbers)) if (term >= AFTER_LABELS) counts.add(body);
  yield* counts.problems();
}

async function* checkVectors(transaction: Transaction): AsyncGenerator<string> {
  const rows = await transaction.rows(
    `SELECT name, count(*) FROM vectors v JOIN models m ON m.namespace = {ns} AND m.number = v.model
     WHERE v.namespace = {ns} AND embedding IS NOT NULL AND vector_dims(embedding) <> m.dimensions GROUP BY name`,
  );
  for (const [name, count] of rows) yield `Vectors of ${String(name)}: ${String(count)} have the wrong size.`;
}
