import { MnemeError } from '../../model/errors.ts';
import { comparePassages } from '../lexical/select.ts';
import type { MissingVector, Nearby, VectorState } from '../port.ts';
import { hasBit } from '../resident/bitmap.ts';
import type { Resident, VectorModel } from './resident.ts';
import type { Transaction } from './server.ts';
import type { Passage } from '../passage.ts';

const ROWS_AT_ONCE = 500;
/** Digits sent of a number; the server keeps three. */
const DIGITS = 6;
/** pgvector's limit for what its index keeps. */
const MAX_INDEXED_DIMENSIONS = 4000;
/** Up to this many passages are compared one by one, which is exact and faster than searching all others. */
export const FEW_PASSAGES = 4000;
/** pgvector's own limit. */
const MAX_SEARCH_WIDTH = 1000;
/** Candidates looked at for every one wanted: what the index finds last is the least certain. */
const OVERSAMPLING = 4;
/** More than this of an index's order is slower than comparing everything. */
const MAX_CANDIDATES = 8000;

interface NewVectors {
  readonly model: string;
  readonly dimensions: number;
  readonly vectors: readonly { readonly passage: number; readonly vector: Float32Array }[];
}

/** A vector belongs to a text: every passage with the same one has it, now and later. */
export async function putVectors(
  transaction: Transaction,
  namespace: string,
  { model, dimensions, vectors }: NewVectors,
): Promise<void> {
  const number = await openModel(transaction, namespace, model, dimensions);
  for (const { vector } of vectors) {
    if (vector.length === dimensions) continue;
    throw new MnemeError('failure', `A vector of ${model} has ${vector.length} dimensions instead of ${dimensions}.`);
  }
  for (let at = 0; at < vectors.length; at += ROWS_AT_ONCE) {
    const batch = vectors.slice(at, at + ROWS_AT_ONCE);
    await transaction.rows(
      `INSERT INTO vectors SELECT DISTINCT ON (key) {ns}, $1::integer, key, given.embedding::halfvec
       FROM unnest($2::integer[], $3::text[]) AS given (number, embedding)
       JOIN passages ON passages.namespace = {ns} AND passages.number = given.number
       ON CONFLICT (namespace, model, key) DO UPDATE SET embedding = excluded.embedding`,
      number,
      batch.map(({ passage }) => passage),
      batch.map(({ vector }) => (isZero(vector) ? null : vectorText(vector))),
    );
  }
}

/** The model's number; vectors of another length under the same name belong to an earlier version of it. */
async function openModel(
  transaction: Transaction,
  namespace: string,
  name: string,
  dimensions: number,
): Promise<number> {
  const row = await transaction.row('SELECT number, dimensions FROM models WHERE namespace = {ns} AND name = $1', name);
  if (row !== undefined && row[1] === dimensions) return Number(row[0]);
  if (row !== undefined) await removeModel(transaction, namespace, Number(row[0]));
  const sql = `INSERT INTO models SELECT {ns}, coalesce(max(number), 0) + 1, $1, $2, -1, false
    FROM models WHERE namespace = {ns} RETURNING number`;
  return Number((await transaction.row(sql, name, dimensions))?.[0]);
}

async function removeModel(transaction: Transaction, namespace: string, model: number): Promise<void> {
  await transaction.rows('SELECT drop_vector_index($1, $2)', namespace, model);
  await transaction.rows('DELETE FROM vectors WHERE namespace = {ns} AND model = $1', model);
  await transaction.rows('DELETE FROM models WHERE namespace = {ns} AND number = $1', model);
}

/** Notes that these models are in use, and removes others that no machine has used for a while. */
export async function keepModels(
  transaction: Transaction,
  {
    namespace,
    models,
    keptDays,
  }: { readonly namespace: string; readonly models: readonly string[]; readonly keptDays: number },
): Promise<void> {
  const touch =
    'UPDATE models SET used = CURRENT_DATE WHERE namespace = {ns} AND name = ANY($1) AND used < CURRENT_DATE';
  await transaction.rows(touch, models);
  const unused = await transaction.rows(
    'SELECT number FROM models WHERE namespace = {ns} AND name <> ALL($1) AND used < CURRENT_DATE - $2::integer',
    models,
    keptDays,
  );
  for (const [number] of unused) await removeModel(transaction, namespace, Number(number));
}

export async function listModels(
  transaction: Transaction,
): Promise<(VectorModel & { readonly name: string; readonly covered: number })[]> {
  const rows = await transaction.rows(
    'SELECT number, name, dimensions, has_index, covered FROM models WHERE namespace = {ns} ORDER BY number',
  );
  return rows.map(([number, name, dimensions, hasIndex, covered]) => ({
    number: Number(number),
    name: String(name),
    dimensions: Number(dimensions),
    hasIndex: hasIndex === true,
    covered: Number(covered),
  }));
}

/**
 * Passages without a vector. Every one written up to `covered` is known to have its own, so that asking again after
 * each write costs only what was written since.
 */
const MISSING = `FROM passages p WHERE namespace = {ns} AND generation > $2 AND NOT EXISTS
  (SELECT FROM vectors v WHERE v.namespace = {ns} AND v.model = $1 AND v.key = p.key)`;

/** A passage's time, without parsing all of its JSON: quotes inside its text are escaped there. */
const TIME = `substring(body from '"timeMs":(-?[0-9.]+)')::float8`;

export async function listMissing(transaction: Transaction, name: string, limit: number): Promise<MissingVector[]> {
  const model = (await listModels(transaction)).find((one) => one.name === name);
  const rows = await transaction.rows(
    `SELECT min(number) AS first, (array_agg(body ORDER BY number))[1] ${MISSING} GROUP BY key
     ORDER BY max(coalesce(${TIME}, 'Infinity')) DESC, first LIMIT $3`,
    model?.number ?? 0,
    model?.covered ?? -1,
    limit,
  );
  return rows.map(([number, body]) => {
    const { lead, day, text } = JSON.parse(String(body)) as Passage;
    return { passage: Number(number), lead, day, text };
  });
}

/** Notes up to which write a model covers everything. */
export async function markCovered(transaction: Transaction, name: string): Promise<void> {
  const model = (await listModels(transaction)).find((one) => one.name === name);
  if (model === undefined || model.covered >= transaction.state.generation) return;
  if ((await countMissing(transaction, model)) > 0) return;
  const sql = 'UPDATE models SET covered = $2 WHERE namespace = {ns} AND number = $1';
  await transaction.rows(sql, model.number, transaction.state.generation);
}

async function countMissing(
  transaction: Transaction,
  { number, covered }: { readonly number: number; readonly covered: number },
): Promise<number> {
  return Number((await transaction.row(`SELECT count(*) ${MISSING}`, number, covered))?.[0]);
}

export async function readVectorStates(transaction: Transaction, passages: number): Promise<VectorState[]> {
  const states: VectorState[] = [];
  for (const model of await listModels(transaction)) {
    const vectors = passages - (await countMissing(transaction, model));
    states.push({ model: model.name, dimensions: model.dimensions, vectors });
  }
  return states;
}

/** Aligned with `keys`. */
export async function readVectors(
  transaction: Transaction,
  name: string,
  keys: readonly Uint8Array[],
): Promise<(Float32Array | undefined)[]> {
  const model = (await listModels(transaction)).find((one) => one.name === name);
  if (model === undefined || keys.length === 0) return keys.map(() => undefined);
  const sql = `SELECT encode(key, 'hex'), embedding::text FROM vectors
    WHERE namespace = {ns} AND model = $1 AND key = ANY($2::bytea[])`;
  const rows = await transaction.rows(sql, model.number, keys);
  const found = new Map(rows.map(([key, text]) => [String(key), parseVector(text, model.dimensions)]));
  return keys.map((key) => found.get(Buffer.from(key).toString('hex')));
}

function parseVector(text: unknown, dimensions: number): Float32Array {
  return typeof text === 'string' ? Float32Array.from(JSON.parse(text) as number[]) : new Float32Array(dimensions);
}

/** Below this comparing everything is as fast, and exact. */
export const INDEX_FROM_VECTORS = 10_000;

/** Builds indexes for models that have got many vectors; takes minutes for a million. */
export async function buildVectorIndexes(transaction: Transaction, namespace: string, from: number): Promise<boolean> {
  let isBuilt = false;
  for (const { number, dimensions, hasIndex } of await listModels(transaction)) {
    if (hasIndex || dimensions > MAX_INDEXED_DIMENSIONS) continue;
    const sql = 'SELECT count(*) FROM vectors WHERE namespace = {ns} AND model = $1';
    if (Number((await transaction.row(sql, number))?.[0]) < from) continue;
    await transaction.rows('SELECT build_vector_index($1, $2, $3)', namespace, number, dimensions);
    await transaction.rows('UPDATE models SET has_index = true WHERE namespace = {ns} AND number = $1', number);
    isBuilt = true;
  }
  return isBuilt;
}

export interface NearestQuery {
  readonly model: VectorModel;
  readonly vector: Float32Array;
  readonly limit: number;
  readonly allowed: Uint8Array;
  /** Up to so many allowed passages are compared one by one. */
  readonly compareUpTo: number;
}

/** The nearest passages of those allowed, equal ones in a stable order. */
export async function findNearest(
  transaction: Transaction,
  resident: Resident,
  query: NearestQuery,
): Promise<readonly Nearby[]> {
  const { model, vector, limit, allowed, compareUpTo } = query;
  checkLength(vector, model);
  if (limit <= 0 || isZero(vector)) return [];
  const { corpus, order } = resident;
  const permitted = listBits(allowed, corpus.capacity, compareUpTo + 1);
  const found =
    permitted.length <= compareUpTo
      ? await compareAll(transaction, model, vector, permitted)
      : await searchWide(transaction, query, (passage) => corpus.isLive(passage) && hasBit(allowed, passage));
  return found
    .sort(
      (left, right) =>
        right.similarity - left.similarity || comparePassages(corpus, order, left.passage, right.passage),
    )
    .slice(0, limit);
}

/** More and more candidates until enough of them are allowed and the last place is not shared. */
async function searchWide(
  transaction: Transaction,
  { model, vector, limit }: NearestQuery,
  isAllowed: (passage: number) => boolean,
): Promise<Nearby[]> {
  for (let wanted = Math.max(100, limit * OVERSAMPLING); ; wanted *= 4) {
    const isExact = !model.hasIndex || wanted > MAX_CANDIDATES;
    const rows = await fetchCandidates(transaction, model, vector, wanted, isExact);
    const found = rows.filter(({ passage }) => isAllowed(passage));
    const isAll = rows.length < wanted && isExact;
    const last = found[limit];
    const isEnough = last !== undefined && last.similarity !== found[limit - 1]?.similarity;
    if (isAll || isEnough) return found;
  }
}

async function fetchCandidates(
  transaction: Transaction,
  { number, dimensions }: VectorModel,
  vector: Float32Array,
  wanted: number,
  isExact: boolean,
): Promise<Nearby[]> {
  if (!isExact) {
    const width = Math.min(MAX_SEARCH_WIDTH, wanted);
    await transaction.rows(
      `SELECT set_config('hnsw.ef_search', '${width}', true), set_config('hnsw.iterative_scan', 'relaxed_order', true)`,
    );
  }
  const rows = await transaction.rows(candidatesSql({ number, dimensions }, wanted, isExact), vectorText(vector));
  return rows.map(toNearby);
}

/** The statement behind a search among all vectors; its parameter is the question's. */
export function candidatesSql(
  { number, dimensions }: Pick<VectorModel, 'number' | 'dimensions'>,
  wanted: number,
  isExact: boolean,
): string {
  // An index is used only where the order is written as in it. A parameter has the type of its first use: were that
  // halfvec, similarities would be those of a rounded question.
  const distance = isExact
    ? '(embedding <#> $1::vector::halfvec) + 0'
    : `embedding::halfvec(${dimensions}) <#> $1::vector::halfvec(${dimensions})`;
  return `SELECT number, -(embedding::vector <#> $1::vector) AS similarity FROM
       (SELECT key, embedding FROM vectors WHERE namespace = {ns} AND model = ${number} AND embedding IS NOT NULL
        ORDER BY ${distance} LIMIT ${wanted}) AS nearest
     JOIN passages ON passages.namespace = {ns} AND passages.key = nearest.key ORDER BY similarity DESC`;
}

async function compareAll(
  transaction: Transaction,
  { number }: VectorModel,
  vector: Float32Array,
  passages: readonly number[],
): Promise<Nearby[]> {
  if (passages.length === 0) return [];
  const rows = await transaction.rows(
    `SELECT number, -(embedding::vector <#> $1::vector) FROM passages JOIN vectors ON vectors.namespace = {ns}
       AND vectors.model = ${number} AND vectors.key = passages.key
     WHERE passages.namespace = {ns} AND number = ANY($2) AND embedding IS NOT NULL`,
    vectorText(vector),
    passages,
  );
  return rows.map(toNearby);
}

/** Aligned with `passages`; NaN where there is no vector. */
export async function similaritiesOf(
  transaction: Transaction,
  model: VectorModel,
  vector: Float32Array,
  passages: readonly number[],
): Promise<Float32Array> {
  checkLength(vector, model);
  const found = await compareAll(transaction, model, vector, passages);
  const byPassage = new Map(found.map(({ passage, similarity }) => [passage, similarity]));
  return Float32Array.from(passages, (passage) => byPassage.get(passage) ?? Number.NaN);
}

function toNearby([number, similarity]: readonly unknown[]): Nearby {
  return { passage: Number(number), similarity: Math.fround(Number(similarity)) };
}

function checkLength(vector: Float32Array, { dimensions }: VectorModel): void {
  if (vector.length === dimensions) return;
  const lengths = `${vector.length} dimensions, those it is compared with ${dimensions}`;
  throw new MnemeError('failure', `The vector of the question has ${lengths}.`);
}

function isZero(vector: Float32Array): boolean {
  return vector.every((value) => value === 0);
}

export function vectorText(vector: Float32Array): string {
  const parts: string[] = [];
  for (const value of vector) {
    if (!Number.isFinite(value)) throw new MnemeError('failure', 'A vector contains values that are not numbers.');
    parts.push(value === 0 ? '0' : value.toPrecision(DIGITS));
  }
  return `[${parts.join()}]`;
}

/** The numbers whose bits are set, at most `limit`. */
function listBits(bitmap: Uint8Array, capacity: number, limit: number): number[] {
  const numbers: number[] = [];
  for (let number = 0; number < capacity && numbers.length < limit; number += 1) {
    if (bitmap[number >> 3] === 0) number |= 7;
    else if (hasBit(bitmap, number)) numbers.push(number);
  }
  return numbers;
}
