import type { IndexView, LexicalHits, QueryTerm, StoredPassage } from '../search-index/port.ts';
import type { WindowShape } from '../search-index/lexical/windows.ts';
import { coverTerms, rarestOf } from './evidence.ts';
import { fuse, type Fusion, type Signal } from './fuse.ts';
import type { RetrievalWeights } from './weights.ts';

/** The question in one model's space. */
export interface QuestionVector {
  readonly model: string;
  readonly vector: Float32Array;
  /** How much this model counts beside the others. */
  readonly weight: number;
}

export interface CandidateQuery {
  readonly terms: readonly QueryTerm[];
  readonly vectors: readonly QuestionVector[];
  /** Passages found in other ways: by entity, by time. */
  readonly also: readonly number[];
  /** How many are read and scored in full. */
  readonly depth: number;
  /** The process ends after this question: all vectors are loaded only if the words do not settle it. */
  readonly isShortLived: boolean;
}

/** A passage with what words and meaning say about it, both from 0 to 1 among the candidates. */
export interface Candidate {
  readonly passage: StoredPassage;
  readonly lexical: number;
  readonly semantic: number;
  /** The largest raw cosine of any model; undefined without vectors. */
  readonly similarity: number | undefined;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  /** By term of the query. */
  readonly rarities: Float32Array;
}

/** Cosines of one question spread over more than this among real candidates; over less they say nothing. */
const MIN_COSINE_RANGE = 0.25;

/** A question of one word is covered by anything that contains it. */
const MIN_DECISIVE_TERMS = 2;
const DECISIVE_COVERAGE = 0.7;
const DECISIVE_DEPTH = 5;

/** How far to both sides a passage's neighbourhood reaches in the average of meanings. */
const NEIGHBOURS = 2;

/** Finds by words and by meaning, keeps the best by both together, and looks at those more closely. */
export async function findCandidates(
  view: IndexView,
  query: CandidateQuery,
  weights: RetrievalWeights,
  fusion: Fusion,
): Promise<Candidates> {
  const { passages, scores, rarities } = await findNumbers(view, query, weights);
  const numbers = [...passages];
  const lexical = fuse(
    // A score of BM25 is a share of the best one: nothing in common is nothing.
    scores.map((values, index): Signal => ({
      values,
      weight: weights.windows[index]?.weight ?? 0,
      minRange: highest(values),
    })),
    fusion,
  );
  const similarities = await Promise.all(
    query.vectors.map(({ model, vector }) => view.similarities(model, vector, numbers)),
  );
  const semantic = fuse(weighModels(query.vectors, similarities), fusion);
  const order = [...bestFirst(numbers, lexical, semantic, weights).subarray(0, query.depth)];
  const stored = new Map((await view.read(order.map((index) => numbers[index] ?? -1))).map((row) => [row.number, row]));
  const chosen = order.flatMap((index) => {
    const passage = stored.get(numbers[index] ?? -1);
    return passage === undefined ? [] : [{ index, passage }];
  });
  const meaning = await withNeighbourhood(view, query.vectors, chosen, similarities, weights, fusion);
  const found = chosen.map(({ index, passage }, at): Candidate => ({
    passage,
    lexical: lexical[index] ?? 0,
    semantic: meaning[at] ?? 0,
    similarity: largest(similarities.map((values) => values[index] ?? Number.NaN)),
  }));
  return { found, rarities };
}

/** By words, and by meaning unless the words have found it already and loading all vectors would cost more. */
async function findNumbers(view: IndexView, query: CandidateQuery, weights: RetrievalWeights): Promise<LexicalHits> {
  const { terms, depth } = query;
  const shapes: WindowShape[] = weights.windows.map(({ size, stride }) => ({ size, stride }));
  if (query.isShortLived) {
    const byWords = await view.findByTerms({ terms, shapes, limit: depth, also: query.also });
    if (await isDecisive(view, query, byWords)) return byWords;
  }
  const nearest = await Promise.all(query.vectors.map(({ model, vector }) => view.findNearest(model, vector, depth)));
  const also = [...new Set([...nearest.flat().map(({ passage }) => passage), ...query.also])];
  return view.findByTerms({ terms, shapes, limit: depth, also });
}

/** One of the best by words has nearly every word of the question, by rarity. */
async function isDecisive(view: IndexView, { terms }: CandidateQuery, found: LexicalHits): Promise<boolean> {
  const rarities = new Map<string, number>();
  for (const [index, { term, weight }] of terms.entries()) {
    if (weight === 1) rarities.set(term, found.rarities[index] || rarestOf(view.size));
  }
  if (rarities.size < MIN_DECISIVE_TERMS) return false;
  const [single = new Float32Array()] = found.scores;
  const order = [...found.passages.keys()].sort((left, right) => (single[right] ?? 0) - (single[left] ?? 0));
  const best = await view.read(order.slice(0, DECISIVE_DEPTH).map((index) => found.passages[index] ?? -1));
  return best.some((passage) => coverTerms([passage], rarities).coverage >= DECISIVE_COVERAGE);
}

function weighModels(vectors: readonly QuestionVector[], values: readonly Float32Array[]): Signal[] {
  return vectors.map(({ weight }, index) => ({
    values: values[index] ?? new Float32Array(),
    weight,
    minRange: MIN_COSINE_RANGE,
  }));
}

function bestFirst(
  numbers: readonly number[],
  lexical: Float32Array,
  semantic: Float32Array,
  { fusion }: RetrievalWeights,
): Int32Array {
  const scores = new Float64Array(numbers.length);
  for (let index = 0; index < scores.length; index += 1) {
    scores[index] = fusion.lexical * (lexical[index] ?? 0) + fusion.semantic * (semantic[index] ?? 0);
  }
  const order = new Int32Array(scores.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return order.sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || left - right);
}

/** A turn means more beside what was said around it: its own nearness and the average over its neighbours. */
async function withNeighbourhood(
  view: IndexView,
  vectors: readonly QuestionVector[],
  chosen: readonly { readonly index: number; readonly passage: StoredPassage }[],
  similarities: readonly Float32Array[],
  { vectors: weights }: RetrievalWeights,
  fusion: Fusion,
): Promise<Float32Array> {
  const around = chosen.map(({ passage }) => neighbours(passage));
  const numbers = [...new Set(around.flat())];
  const place = new Map(numbers.map((number, index) => [number, index]));
  const signals: Signal[] = [];
  for (const [at, { model, vector, weight }] of vectors.entries()) {
    const values = await view.similarities(model, vector, numbers);
    const own = similarities[at] ?? new Float32Array();
    signals.push(
      {
        values: Float32Array.from(chosen, ({ index }) => own[index] ?? Number.NaN),
        weight: weight * weights.passage,
        minRange: MIN_COSINE_RANGE,
      },
      {
        values: Float32Array.from(around, (run) => mean(run.map((number) => values[place.get(number) ?? -1]))),
        weight: weight * weights.neighbourhood,
        minRange: MIN_COSINE_RANGE,
      },
    );
  }
  return fuse(signals, fusion);
}

function neighbours({ number, first, count }: StoredPassage): number[] {
  const from = Math.max(first, number - NEIGHBOURS);
  const to = Math.min(first + count - 1, number + NEIGHBOURS);
  return Array.from({ length: to - from + 1 }, (_, index) => from + index);
}

/** In a loop: `Math.max(...values)` makes a number of every value before it compares any. */
function highest(values: Float32Array): number {
  let best = -Infinity;
  for (let index = 0; index < values.length; index += 1) best = Math.max(best, values[index] ?? 0);
  return best;
}

function mean(values: readonly (number | undefined)[]): number {
  let sum = 0;
  let known = 0;
  for (const value of values) {
    if (value === undefined || Number.isNaN(value)) continue;
    sum += value;
    known += 1;
  }
  return known === 0 ? Number.NaN : sum / known;
}

function largest(values: readonly number[]): number | undefined {
  const known = values.filter((value) => !Number.isNaN(value));
  return known.length === 0 ? undefined : Math.max(...known);
}
