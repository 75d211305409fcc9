import { isMnemeError } from '../model/errors.ts';
import type { Embedder } from '../providers/embeddings/port.ts';
import type { IndexView, QueryTerm, SearchFilter, SearchIndex, StoredPassage } from '../search-index/port.ts';
import { findCandidates, type Candidate, type Candidates, type QuestionVector } from './candidates.ts';
import { diversify } from './diversify.ts';
import { rarestOf, termsOf } from './logistic.ts';
import type { Use } from '../memory/decay/use-log.ts';
import { fitBudget, fitCount, type Group } from './fit.ts';
import type { Fusion } from './fuse.ts';
import { rank, type Ranked } from './rank.ts';
import { renderPassages } from './hit.ts';
import { rerank, type Reranker } from './rerank.ts';
import { completeLastWord } from './understand/complete.ts';
import { understandQuery } from './understand/understand.ts';
import type { Expansion, Understanding } from './understand/understanding.ts';
import { type KnownNames, type RetrievalWeights, entityDistances } from './settings.ts';

/** A model that can be asked, and whether it reads sentences or averages words. */
export interface QuestionModel {
  readonly embedder: Embedder;
  readonly kind: 'static' | 'sentence';
  /** Every passage has a vector of it. */
  readonly isWhole: boolean;
}

export interface RetrievalSettings {
  readonly weights: RetrievalWeights;
  readonly fusion: Fusion;
  readonly halfLifeDays: number;
  readonly decayInfluence: number;
  readonly diversity: number;
  readonly neighbourTurns: number;
  readonly expandQuery: boolean;
  readonly graphDepth: number;
  readonly graphNeighbours: number;
  readonly timeZone: string;
}

export interface RetrievalParts {
  readonly index: SearchIndex;
  /** Those that have vectors in the index, the preferred one last; none: search by words alone. */
  readonly models: readonly QuestionModel[];
  readonly settings: RetrievalSettings;
  readonly names: () => Promise<KnownNames>;
  /** The uses of each item, by id. */
  readonly uses: ReadonlyMap<string, Use>;
  readonly freshnessOf: (passage: StoredPassage) => number;
  readonly isShortLived: boolean;
  /** Absent unless `search.rerank` asks for one. */
  readonly reranker?: Reranker | undefined;
}

export interface Question {
  readonly text: string;
  readonly filter: SearchFilter;
  readonly nowMs: number;
  /** The number of hits wanted … */
  readonly limit: number;
  /** … or the number of tokens that the hits may take in all. */
  readonly tokens: number | undefined;
  /** The expected length of a hit; fewer candidates are read when it is longer. */
  readonly tokensPerCandidate?: number | undefined;
  /** The last word may be the beginning of a longer one: the question is still being typed. */
  readonly isUnfinished?: boolean | undefined;
  /** Lets the caller drop candidates that no index can tell apart, such as faded ones. */
  readonly isWanted?: ((passage: StoredPassage) => boolean) | undefined;
}

export interface Answer {
  readonly understanding: Understanding;
  readonly groups: readonly Group[];
  readonly mode: 'hybrid' | 'lexical';
  /** Everything that was scored, the best first; what `explain` shows of what was left out. */
  readonly ranked: readonly Ranked[];
  readonly notes: readonly string[];
  /** Ids of the models that the question was compared by. */
  readonly models: readonly string[];
  /** Models that could not embed the question, and why. */
  readonly failed: readonly string[];
  /** The weight of each term of the question by its rarity. */
  readonly rarities: ReadonlyMap<string, number>;
  /** The number of visible passages. */
  readonly size: number;
}

/** Enough to fill ten hits with what stands around them. */
const MIN_DEPTH = 100;
/** A turn is rarely shorter than this; so many candidates fill the budget. */
const TOKENS_PER_CANDIDATE = 10;
const MAX_DEPTH = 1500;
/** "What happened last week?" has one word beside its time; how much more the time then counts. */
const FEW_TERMS = 1;
const TIME_ALONE = 12;
const TIME_BESIDE_WORDS = 2;
/** Fewer wanted ones among the candidates than this share, and more are looked at. */
const FEW_WANTED = 0.1;
const LOOK_FURTHER = 4;
/** Near-repetitions are looked for among these; further down nobody reads. */
const DIVERSITY_DEPTH = 30;

/** Question → understanding → candidates → scores → diversity → fit. */
export async function retrieve(question: Question, parts: RetrievalParts): Promise<Answer> {
  const { settings } = parts;
  const names = await parts.names();
  const understood = await understandQuery(question.text, {
    nowMs: question.nowMs,
    timeZone: settings.timeZone,
    speakers: names.speakers,
    aliases: names.aliases,
  });
  const view = await parts.index.view(question.filter);
  const { understanding, finished = question.text } =
    question.isUnfinished === true
      ? await completeLastWord(question.text, understood, view)
      : { understanding: understood };
  const distances = entityDistances(understanding.entities, names, settings);
  const { vectors, failed } = await embedQuestion(finished, parts);
  const asked = askedTerms(understanding);
  const terms = [...asked, ...(settings.expandQuery ? understanding.expansions.map(toStandIn) : [])];
  const { wanted, modelWeights, rarities } = await findWanted(candidateDepth(question), question, async (depth) => {
    const also = [
      ...(distances.size === 0 ? [] : await view.findByEntities([...distances.keys()], depth)),
      ...(await findInTime(parts.index, question, understanding, depth)),
    ];
    const query = { terms, vectors, also, depth, isShortLived: parts.isShortLived };
    return findCandidates(view, query, settings.weights, settings.fusion);
  });
  const ranked = rank(wanted, {
    understanding,
    weights: settings.weights,
    nowMs: question.nowMs,
    halfLifeDays: settings.halfLifeDays,
    decayInfluence: settings.decayInfluence,
    uses: parts.uses,
    freshnessOf: parts.freshnessOf,
    modelWeights,
    distances,
    temporalWeight: temporalWeight(understanding, settings.weights.factors.temporal),
  });
  const second = await rerank(question.text, ranked, parts.reranker);
  const groups = await fit(view, spread(second.ranked, settings.diversity), question, settings);
  return {
    understanding,
    groups,
    mode: vectors.length === 0 ? 'lexical' : 'hybrid',
    ranked: second.ranked,
    notes: second.notes,
    models: vectors.map(({ model }) => model),
    failed,
    rarities: new Map(asked.map(({ term }, index) => [term, rarities[index] || rarestOf(view.size)])),
    size: view.size,
  };
}

/** Where faded ones take nearly all places, it is looked further: with the years there are more of them every day. */
async function findWanted(
  depth: number,
  { isWanted }: Pick<Question, 'isWanted'>,
  find: (depth: number) => Promise<Candidates>,
): Promise<Omit<Candidates, 'found'> & { readonly wanted: readonly Candidate[] }> {
  const { found, ...others } = await find(depth);
  const wanted = isWanted === undefined ? found : found.filter(({ passage }) => isWanted(passage));
  const isCrowded = found.length >= depth && wanted.length < depth * FEW_WANTED;
  if (!isCrowded || depth >= MAX_DEPTH) return { wanted, ...others };
  return findWanted(Math.min(MAX_DEPTH, depth * LOOK_FURTHER), { isWanted }, find);
}

/** Finds passages from the time asked about, however worded: "what did we do yesterday?" has no word in common with them. */
async function findInTime(
  index: SearchIndex,
  { filter }: Question,
  { timeRange, intent }: Understanding,
  limit: number,
): Promise<readonly number[]> {
  if (timeRange === undefined && intent !== 'latest') return [];
  const sinceMs = latest(filter.sinceMs, timeRange?.sinceMs);
  // An end, however late, leaves out what has no time.
  const untilMs = earliest(filter.untilMs, timeRange?.untilMs) ?? Infinity;
  return (await index.view({ ...filter, sinceMs, untilMs })).findRecent(limit);
}

function latest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.max(left, right);
}

function earliest(left: number | undefined, right: number | undefined): number | undefined {
  return left === undefined || right === undefined ? (left ?? right) : Math.min(left, right);
}

function candidateDepth({ limit, tokens, tokensPerCandidate = TOKENS_PER_CANDIDATE }: Question): number {
  const wanted = tokens === undefined ? limit * 5 : tokens / tokensPerCandidate;
  return Math.min(MAX_DEPTH, Math.max(MIN_DEPTH, Math.ceil(wanted)));
}

/** A name of somebody who speaks is on every turn of theirs and says nothing about its content. */
function askedTerms({ terms }: Understanding): readonly QueryTerm[] {
  const content = terms.filter(({ isPerson }) => !isPerson);
  return content.length === 0 ? terms : content;
}

/** The fewer words beside the time a question has, the more the time is what it asks for. */
function temporalWeight({ terms, timeRange, intent }: Understanding, weight: number): number {
  if (timeRange === undefined && intent !== 'latest') return weight;
  const others = terms.filter(({ isTime, isPerson }) => !isTime && !isPerson).length;
  return weight * (others <= FEW_TERMS ? TIME_ALONE : TIME_BESIDE_WORDS);
}

/**
 * Another word helps only where the asked one leads nowhere (measured); another name of an entity always does, and so does
 * another word that begins with the letters typed.
 */
function toStandIn({ term, weight, of, reason }: Expansion): QueryTerm {
  return reason === 'alias' || reason === 'beginning' ? { term, weight } : { term, weight, insteadOf: of };
}

/**
 * A model made for another language counts less, down to nothing. One that fails costs its share of meaning, not the
 * answer: what it knows is then scored by the others.
 */
async function embedQuestion(
  text: string,
  { models, settings }: RetrievalParts,
): Promise<{ readonly vectors: readonly QuestionVector[]; readonly failed: readonly string[] }> {
  const vectors: QuestionVector[] = [];
  const failed: string[] = [];
  if (text.trim() === '') return { vectors, failed };
  for (const { embedder, kind, isWhole } of models) {
    try {
      const [vector] = await embedder.embed([text], 'query');
      const fit = embedder.languageFit?.(text) ?? 1;
      const weight = fit * (kind === 'sentence' ? settings.weights.sentenceModel : 1);
      if (vector !== undefined && weight > 0) vectors.push({ model: embedder.id, vector, weight, kind, isWhole });
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      failed.push(`Searching without ${embedder.id}: ${error.message} ${error.hint ?? ''}`.trimEnd());
    }
  }
  return { vectors, failed };
}

function spread(ranked: readonly Ranked[], diversity: number): Ranked[] {
  const top = ranked
    .slice(0, DIVERSITY_DEPTH)
    .map((item) => ({ item, score: item.score, terms: termsOf(item.passage) }));
  return [...diversify(top, diversity).map(({ item }) => item), ...ranked.slice(DIVERSITY_DEPTH)];
}

async function fit(
  view: IndexView,
  ranked: readonly Ranked[],
  { limit, tokens, isWanted = () => true }: Question,
  { neighbourTurns }: RetrievalSettings,
): Promise<Group[]> {
  if (tokens !== undefined) return fitBudget(ranked, tokens, (members) => renderPassages(members).length);
  // More than can be needed: every group takes at least one of them.
  const top = ranked.slice(0, limit * 4);
  const around = await readAround(view, top, neighbourTurns);
  return fitCount(top, limit, (passage) =>
    neighbourTurnsOf(passage, neighbourTurns)
      .flatMap((n) => around.get(n) ?? [])
      .filter(isWanted),
  );
}

async function readAround(
  view: IndexView,
  top: readonly Ranked[],
  reach: number,
): Promise<ReadonlyMap<number, StoredPassage>> {
  const numbers = new Set(top.flatMap(({ passage }) => neighbourTurnsOf(passage, reach)));
  return new Map((await view.read([...numbers])).map((passage) => [passage.number, passage]));
}

/** Only conversations are read on; an item of a list stands for itself. */
function neighbourTurnsOf({ number, first, count, turn }: StoredPassage, reach: number): number[] {
  if (turn === undefined) return [];
  const numbers: number[] = [];
  for (let other = Math.max(first, number - reach); other <= Math.min(first + count - 1, number + reach); other += 1) {
    if (other !== number) numbers.push(other);
  }
  return numbers;
}
