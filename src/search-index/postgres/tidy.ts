import { LayoutWriter, type PageStore } from '../resident/layout.ts';
import { fetchPages } from './rows.ts';
import type { Resident } from './resident.ts';
import { mergeSegments, renumberPostings } from './segments.ts';
import type { Transaction } from './server.ts';

/** Vectors kept of texts that are gone; enough for a folder that is moved away and back. */
const MAX_ORPHANS = 50_000;
/** Unused numbers that are never worth a renumbering. */
export const TOLERATED_UNUSED = 4096;

export interface TidyOptions {
  readonly toleratedUnused: number;
}

/** To be called within a write, after the resident part was brought up to date. Returns the epoch that follows. */
export async function tidyIndex(
  transaction: Transaction,
  resident: Resident,
  { toleratedUnused }: TidyOptions,
): Promise<{ readonly nextPassage: number; readonly isRenumbered: boolean }> {
  await dropOrphans(transaction);
  const { passages } = resident.corpus;
  const { nextPassage } = transaction.state;
  if (nextPassage - passages > passages + toleratedUnused) {
    return { nextPassage: await renumber(transaction, resident), isRenumbered: true };
  }
  await mergeSegments(transaction, resident.corpus);
  return { nextPassage, isRenumbered: false };
}

async function dropOrphans(transaction: Transaction): Promise<void> {
  const counts = await transaction.row(
    `SELECT (SELECT count(*) FROM vectors WHERE namespace = {ns}),
       (SELECT count(*) FROM passages WHERE namespace = {ns}) * (SELECT count(*) FROM models WHERE namespace = {ns})`,
  );
  if (Number(counts?.[0]) - Number(counts?.[1]) <= MAX_ORPHANS) return;
  await transaction.rows(
    `DELETE FROM vectors v WHERE namespace = {ns}
       AND NOT EXISTS (SELECT FROM passages p WHERE p.namespace = {ns} AND p.key = v.key)`,
  );
}

interface Move {
  readonly document: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Closes the gaps between passage numbers; their order stays. Returns the first number after them. */
async function renumber(transaction: Transaction, resident: Resident): Promise<number> {
  const generation = transaction.state.generation + 1;
  const moves: Move[] = [];
  let next = 0;
  const documents = 'SELECT number, first, count FROM documents WHERE namespace = {ns} ORDER BY first, count';
  for (const [document, from, count] of await transaction.rows(documents)) {
    moves.push({ document: Number(document), from: Number(from), to: next, count: Number(count) });
    next += Number(count);
  }
  const newNumbers = new Int32Array(resident.corpus.capacity);
  for (const { from, to, count } of moves) {
    for (let offset = 0; offset < count; offset += 1) newNumbers[from + offset] = to + offset;
  }
  await renumberPostings(transaction, resident.corpus, newNumbers);
  await moveLayout(transaction, resident, moves, generation);
  const columns = [
    moves.map(({ document }) => document),
    moves.map(({ from }) => from),
    moves.map(({ to }) => to),
    moves.map(({ count }) => count),
  ];
  const moved =
    'unnest($1::integer[], $2::integer[], $3::integer[], $4::integer[]) AS m (document, first, target, count)';
  // Below zero first: no number may be in use twice, not even while a statement runs.
  await transaction.rows(
    `UPDATE passages SET number = -1 - (number - m.first + m.target) FROM ${moved}
     WHERE namespace = {ns} AND number >= m.first AND number < m.first + m.count AND m.document > 0`,
    ...columns,
  );
  await transaction.rows('UPDATE passages SET number = -1 - number WHERE namespace = {ns} AND number < 0');
  await transaction.rows(
    `UPDATE documents SET first = m.target, reserved = documents.count, generation = ${generation} FROM ${moved}
     WHERE namespace = {ns} AND number = m.document AND m.first >= 0 AND m.count >= 0`,
    ...columns,
  );
  return next;
}

async function moveLayout(
  transaction: Transaction,
  resident: Resident,
  moves: readonly Move[],
  generation: number,
): Promise<void> {
  const { corpus, facts } = resident;
  await transaction.rows('DELETE FROM layout WHERE namespace = {ns}');
  await transaction.rows('DELETE FROM facts WHERE namespace = {ns}');
  const pages = await fetchPages(transaction, { layout: [], facts: [] });
  const layout = new LayoutWriter(pages satisfies PageStore);
  for (const { document, from, to, count } of moves) {
    const lengths = Uint16Array.from({ length: count }, (_, offset) => corpus.length(from + offset, from + offset + 1));
    layout.place(document, corpus.attributes[from] ?? 0, to, lengths);
    layout.setFacts(to, facts.times.subarray(from, from + count), facts.importances.subarray(from, from + count));
  }
  layout.flush();
  await pages.flush(transaction, generation);
}
