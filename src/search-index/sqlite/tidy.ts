import { must } from '../../model/errors.ts';
import { type IndexDatabase, pageStore } from './index-database.ts';
import { LayoutWriter } from '../resident/layout.ts';
import type { Resident } from './resident.ts';
import { mergeSegments, renumberPostings } from './segments.ts';
import { listModels, VectorWriter, type VectorModel } from './vector-rows.ts';

/** Vectors kept of texts that are gone; enough for a folder that is moved away and back. */
const MAX_CACHED_VECTORS = 50_000;
/** Unused numbers that are never worth a renumbering. */
const TOLERATED_UNUSED = 4096;
/** Vectors moved at a time. */
const PASSAGES_PER_MOVE = 8192;

/** To be called within a transaction, after the resident part was brought up to date. */
export function tidyIndex(database: IndexDatabase, resident: Resident, generation: number): void {
  dropOldCache(database);
  const { passages } = resident.corpus;
  const unused = database.state.nextPassage - passages;
  if (unused > passages + TOLERATED_UNUSED) renumber(database, resident, generation);
  else mergeSegments(database, resident.corpus);
}

function dropOldCache(database: IndexDatabase): void {
  const count = Number(database.row('SELECT count(*) FROM embedding_cache')?.[0]);
  if (count <= MAX_CACHED_VECTORS) return;
  const sql = 'SELECT generation FROM embedding_cache ORDER BY generation DESC LIMIT 1 OFFSET ?';
  const oldest = Number(must(database.row(sql, MAX_CACHED_VECTORS), 'a cached vector')[0]);
  database.run('DELETE FROM embedding_cache WHERE generation <= ?', oldest);
}

interface Move {
  readonly document: number;
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Closes the gaps between passage numbers. Their order stays, so that no number is needed by two at once. */
function renumber(database: IndexDatabase, resident: Resident, generation: number): void {
  const moves: Move[] = [];
  let next = 0;
  for (const row of database.rows('SELECT number, first, count FROM documents ORDER BY first, count')) {
    const [document, from, count] = [Number(row[0]), Number(row[1]), Number(row[2])];
    moves.push({ document, from, to: next, count });
    next += count;
  }
  const newNumbers = new Int32Array(resident.corpus.capacity);
  for (const { from, to, count } of moves) {
    for (let offset = 0; offset < count; offset += 1) newNumbers[from + offset] = to + offset;
  }
  renumberPostings(database, resident.corpus, newNumbers);
  moveLayout(database, resident, moves, generation);
  for (const model of listModels(database)) moveVectors(database, model, moves, generation);
  for (const { document, from, to, count } of moves) {
    database.run('UPDATE documents SET first = ?, reserved = count WHERE number = ?', to, document);
    if (from === to) continue;
    const sql = 'UPDATE passages SET number = number - ? WHERE number >= ? AND number < ?';
    database.run(sql, from - to, from, from + count);
  }
  database.run('UPDATE state SET epoch = hex(randomblob(8)), next_passage = ?', next);
}

function moveLayout(database: IndexDatabase, resident: Resident, moves: readonly Move[], generation: number): void {
  const { corpus } = resident;
  const { times, importances } = resident.facts();
  database.run('DELETE FROM layout');
  database.run('DELETE FROM facts');
  const layout = new LayoutWriter(pageStore(database, generation));
  for (const { document, from, to, count } of moves) {
    const lengths = Uint16Array.from({ length: count }, (_, offset) => corpus.length(from + offset, from + offset + 1));
    layout.place(document, corpus.attributes[from] ?? 0, to, lengths);
    layout.setFacts(to, times.subarray(from, from + count), importances.subarray(from, from + count));
  }
  layout.flush();
}

/** Under a new number of the model, so that rows not yet moved are not overwritten. */
function moveVectors(
  database: IndexDatabase,
  model: VectorModel & { readonly name: string },
  moves: readonly Move[],
  generation: number,
): void {
  database.run('UPDATE models SET name = ? WHERE number = ?', `${model.name} (moved)`, model.number);
  const sql = 'INSERT INTO models (name, dimensions) VALUES (?, ?) RETURNING number';
  const number = Number(must(database.row(sql, model.name, model.dimensions), 'the number of a model')[0]);
  let reader = new VectorWriter(database, model);
  const writer = new VectorWriter(database, { number, dimensions: model.dimensions });
  let pending = 0;
  for (const { from, to, count } of moves) {
    for (let offset = 0; offset < count; offset += 1) {
      const vector = reader.find(from + offset);
      if (vector !== undefined) writer.set(to + offset, vector);
    }
    pending += count;
    if (pending < PASSAGES_PER_MOVE) continue;
    writer.flush(generation);
    reader = new VectorWriter(database, model);
    pending = 0;
  }
  writer.flush(generation);
  database.run('UPDATE embedding_cache SET model = ? WHERE model = ?', number, model.number);
  database.run('DELETE FROM vectors WHERE model = ?', model.number);
  database.run('DELETE FROM models WHERE number = ?', model.number);
}
