import type { IndexView, LexicalHits, QueryTerm, StoredPassage } from '../search-index/port.ts';
import type { WindowShape } from '../search-index/lexical/windows.ts';
import { coverTerms, rarestOf } from './logistic.ts';
import { type Fusion, type Signal, fuse, mergeModels } from './fuse.ts';
import type { RetrievalWeights } from './settings.ts';

/** The question in one model's space. */
export interface QuestionVector {
  readonly model: string;
  readonly vector: Float32Array;
  /** The weight of meaning beside words where this model scores a passage. */
  readonly weight: number;
  readonly kind: 'static' | 'sentence';
  /** Every passage has a vector of this model. */
  readonly isWhole: boolean;
}

export interface CandidateQuery {
  readonly terms: readonly QueryTerm[];
  /** The preferred model last. */
  readonly vectors: readonly QuestionVector[];
  /** Passages found in other ways: by entity, by time. */
  readonly also: readonly number[];
  /** The number of candidates read and scored in full. */
  readonly depth: number;
  /** The process ends after this question: all vectors are loaded only if the words do not settle it. */
  readonly isShortLived: boolean;
}

/** A passage with what words and meaning say about it, both from 0 to 1 among the candidates. */
export interface Candidate {
  readonly passage: StoredPassage;
  readonly lexical: number;
  /** By model of the query; NaN where the passage has no vector. */
  readonly meanings: readonly number[];
  /** The raw cosine of the first model that has a vector: thresholds are set on the static table's. */
  readonly similarity: number | undefined;
  /** The raw cosine of the sentence model; undefined where it has no vector. */
  readonly closeness: number | undefined;
}

export interface Candidates {
  readonly found: readonly Candidate[];
  /** The weight of meaning beside words for this question, by model of the query. */
  readonly modelWeights: readonly number[];
  /** By term of the query. */
  readonly rarities: Float32Array;
}

/** Cosines of one question spread over more than this among real candidates; over less they say nothing. */
const MIN_COSINE_RANGE = 0.4;

/** A question of one word is covered by anything that contains it. */
const MIN_DECISIVE_TERMS = 2;
const DECISIVE_COVERAGE = 0.7;
/** Words count at least so much of what they count when they are decisive. */
const LEAST_COVERAGE = 0.2;
const DECISIVE_DEPTH = 5;

/** The number of neighbours on both sides that count in a passage's average of meanings. */
const NEIGHBOURS = 1;

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
  const modelWeights = weighModels(query, { scores, rarities }, view.size);
  const order = [...bestFirst(lexical, similarities, modelWeights, weights, fusion).subarray(0, query.depth)];
  const stored = new Map((await view.read(order.map((index) => numbers[index] ?? -1))).map((row) => [row.number, row]));
  const chosen = order.flatMap((index) => {
    const passage = stored.get(numbers[index] ?? -1);
    return passage === undefined ? [] : [{ index, passage }];
  });
  const meanings = await Promise.all(
    query.vectors.map((vector, model) =>
      withNeighbourhood(view, vector, chosen, similarities[model] ?? new Float32Array(), weights, fusion),
    ),
  );
  const found = chosen.map(({ index, passage }, at): Candidate => ({
    passage,
    lexical: lexical[index] ?? 0,
    meanings: meanings.map((values) => values[at] ?? Number.NaN),
    similarity: similarities.map((values) => values[index] ?? Number.NaN).find((value) => !Number.isNaN(value)),
    closeness: query.vectors
      .map(({ kind }, model) => (kind === 'sentence' ? (similarities[model]?.[index] ?? Number.NaN) : Number.NaN))
      .find((value) => !Number.isNaN(value)),
  }));
  return { found, modelWeights, rarities };
}

/** By words, and by meaning unless the words have found it already and loading all vectors would cost more. */
async function findNumbers(view: IndexView, query: CandidateQuery, weights: RetrievalWeights): Promise<LexicalHits> {
  const { terms, depth } = query;
  const shapes: WindowShape[] = weights.windows.map(({ size, stride }) => ({ size, stride }));
  if (query.isShortLived) {
    const byWords = await view.findByTerms({ terms, shapes, limit: depth, also: query.also });
    if (await isDecisive(view, query, byWords)) return byWords;
  }
  const whole = query.vectors.findLastIndex(({ isWhole }) => isWhole);
  const nearest = await Promise.all(
    query.vectors.slice(Math.max(0, whole)).map(({ model, vector }) => view.findNearest(model, vector, depth)),
  );
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

/**
 * The words' scores are shares of the best one, however little that has in common with the question. What a sentence
 * model says therefore counts the more, the less of the question's words any passage has, by rarity.
 */
function weighModels(
  { vectors, terms }: CandidateQuery,
  { scores, rarities }: Pick<LexicalHits, 'scores' | 'rarities'>,
  size: number,
): number[] {
  let total = 0;
  for (const [index, { weight, insteadOf }] of terms.entries()) {
    if (insteadOf === undefined) total += weight * (rarities[index] || rarestOf(size));
  }
  const best = highest(scores[0] ?? new Float32Array());
  const found = total === 0 ? 0 : Math.max(0, best) / total;
  const share = Math.min(1, Math.max(LEAST_COVERAGE, found / DECISIVE_COVERAGE));
  return vectors.map(({ weight, kind }) => (kind === 'sentence' ? weight / share : weight));
}

/** By words and the first model, reordered by the better ones; all of it without the passages' neighbours. */
function bestFirst(
  lexical: Float32Array,
  similarities: readonly Float32Array[],
  modelWeights: readonly number[],
  { factors }: RetrievalWeights,
  fusion: Fusion,
): Int32Array {
  const byWords = Float64Array.from(lexical, (share) => factors.lexical * share);
  const byModel = similarities.map((values, model) => {
    const weight = factors.semantic * (modelWeights[model] ?? 0);
    const meanings = knownOnly(fuse([cosines(values)], fusion), values);
    return byWords.map((score, at) => score + weight * (meanings[at] ?? Number.NaN));
  });
  const scores = mergeModels(byWords, byModel);
  const order = new Int32Array(scores.length);
  for (let index = 0; index < order.length; index += 1) order[index] = index;
  return order.sort((left, right) => (scores[right] ?? 0) - (scores[left] ?? 0) || left - right);
}

function cosines(values: Float32Array, weight = 1): Signal {
  return { values, weight, minRange: MIN_COSINE_RANGE };
}

/** NaN where there is no vector: what is unknown is neither far nor near. */
function knownOnly(fused: Float32Array, cosine: Float32Array): Float32Array {
  return fused.map((value, at) => (Number.isNaN(cosine[at] ?? Number.NaN) ? Number.NaN : value));
}

/** A turn means more beside what was said around it: its own nearness and the average over its neighbours. */
async function withNeighbourhood(
  view: IndexView,
  { model, vector }: QuestionVector,
  chosen: readonly { readonly index: number; readonly passage: StoredPassage }[],
  similarities: Float32Array,
  { vectors: weights }: RetrievalWeights,
  fusion: Fusion,
): Promise<Float32Array> {
  const around = chosen.map(({ passage }) => neighbours(passage));
  const numbers = [...new Set(around.flat())];
  const place = new Map(numbers.map((number, index) => [number, index]));
  const values = await view.similarities(model, vector, numbers);
  const own = Float32Array.from(chosen, ({ index }) => similarities[index] ?? Number.NaN);
  const near = Float32Array.from(around, (run) => mean(run.map((number) => values[place.get(number) ?? -1])));
  return knownOnly(fuse([cosines(own, weights.passage), cosines(near, weights.neighbourhood)], fusion), own);
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
