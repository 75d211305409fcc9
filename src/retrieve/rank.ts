import { DAY_MS } from '../model/time.ts';
import type { StoredPassage } from '../search-index/port.ts';
import type { Candidate } from './candidates.ts';
import type { Use } from '../memory/decay/use-log.ts';
import type { ScoreParts } from './hit.ts';
import { mergeModels } from './fuse.ts';
import type { TimeRange, Understanding } from './understand/understanding.ts';
import type { RetrievalWeights } from './settings.ts';
import { compareTexts } from '../model/text.ts';

export interface Ranked {
  readonly passage: StoredPassage;
  readonly score: number;
  readonly scores: ScoreParts;
  /** The raw cosine of the first model that has a vector; undefined without vectors. */
  readonly similarity: number | undefined;
  /** The raw cosine of the sentence model; undefined where it has no vector. */
  readonly closeness: number | undefined;
  /** The evidence for it beside words and meaning. */
  readonly reasons: readonly string[];
}

export interface RankContext {
  readonly understanding: Understanding;
  readonly weights: RetrievalWeights;
  readonly nowMs: number;
  readonly halfLifeDays: number;
  readonly uses: ReadonlyMap<string, Use>;
  /** The freshness of the memory, 0 to 1; lowers its score by at most `decayInfluence`. */
  readonly freshnessOf: (passage: StoredPassage) => number;
  readonly decayInfluence: number;
  /** The weight of meaning beside words, by model of the candidates' `meanings`. */
  readonly modelWeights: readonly number[];
  /** The weight of the temporal factor for this question. */
  readonly temporalWeight: number;
  /** The number of relations between each entity and one of the question. */
  readonly distances: ReadonlyMap<string, number>;
}

const OTHER_FACTORS = ['lexical', 'temporal', 'importance', 'access'] as const;

interface Boost {
  readonly weight: number;
  /** 0 to 1. */
  readonly share: number;
  readonly reason: string;
}

/** Scores by the five factors and by what matches in other ways; the best first, equals by where they stand. */
export function rank(candidates: readonly Candidate[], context: RankContext): Ranked[] {
  const rows = candidates.map((candidate) => weigh(candidate, context));
  const scoreBy = (model: number | undefined): Float64Array =>
    Float64Array.from(rows, ({ sum, total, decay }, at) => {
      const weight = model === undefined ? 0 : context.weights.factors.semantic * (context.modelWeights[model] ?? 0);
      const meaning = model === undefined ? 0 : (candidates[at]?.meanings[model] ?? Number.NaN);
      return total + weight === 0 ? 0 : ((sum + weight * meaning) / (total + weight)) * decay;
    });
  const scores = mergeModels(
    scoreBy(undefined),
    context.modelWeights.map((_, model) => scoreBy(model)),
  );
  return rows.map(({ ranked }, at) => Object.assign({}, ranked, { score: scores[at] ?? 0 })).sort(compareRanked);
}

export function compareRanked(left: Ranked, right: Ranked): number {
  return right.score - left.score || compareTexts(placeKey(left.passage), placeKey(right.passage));
}

/** Where a passage stands, however the index numbers it: a rebuilt index must break ties alike. */
function placeKey({ document, number, first }: StoredPassage): string {
  return `${document.source}/${document.path}#${String(number - first).padStart(6, '0')}`;
}

/** Everything but the meaning, which each model scores in its own way. */
function weigh(
  candidate: Candidate,
  context: RankContext,
): {
  readonly ranked: Omit<Ranked, 'score'>;
  readonly sum: number;
  readonly total: number;
  /** The factor by which the memory's fading lowers its score. */
  readonly decay: number;
} {
  const { passage } = candidate;
  const scores: ScoreParts = {
    semantic: candidate.meanings.findLast((meaning) => !Number.isNaN(meaning)) ?? 0,
    lexical: candidate.lexical,
    temporal: temporalFactor(passage.timeMs, context.understanding, context),
    importance: importanceFactor(passage),
    access: accessFactor(context.uses.get(passage.id), context.nowMs),
  };
  const boosts = findBoosts(passage, context);
  let sum = 0;
  let total = 0;
  for (const name of OTHER_FACTORS) {
    const weight = name === 'temporal' ? context.temporalWeight : context.weights.factors[name];
    sum += weight * scores[name];
    total += weight;
  }
  for (const { weight, share } of boosts) {
    sum += weight * share;
    total += weight;
  }
  const faded = context.understanding.isAboutThePast ? 0 : 1 - context.freshnessOf(passage);
  const reasons = boosts.flatMap(({ share, reason }) => (share > 0 ? [reason] : []));
  if (faded > 0.5) reasons.push('fading');
  const ranked = { passage, scores, similarity: candidate.similarity, closeness: candidate.closeness, reasons };
  return { ranked, sum, total, decay: 1 - context.decayInfluence * faded };
}

/** Every way the question could match beside words and meaning; the share says how far this passage does. */
function findBoosts(passage: StoredPassage, { understanding, weights, distances }: RankContext): Boost[] {
  const { boosts } = weights;
  const found: Boost[] = [];
  const [person] = understanding.people;
  // Two people named: what each says about the other is as good as what they say themselves.
  if (person !== undefined && understanding.people.length === 1) {
    found.push({ weight: boosts.speaker, share: passage.speaker === person ? 1 : 0, reason: `said by ${person}` });
  }
  for (const phrase of understanding.phrases) {
    const isThere = passage.text.toLowerCase().includes(phrase.toLowerCase());
    found.push({ weight: boosts.phrase, share: isThere ? 1 : 0, reason: `contains “${phrase}”` });
  }
  if (distances.size > 0) {
    const near = nearestEntity(passage.entities, distances);
    const share = near === undefined ? 0 : 0.5 ** near.distance;
    found.push({ weight: boosts.entity, share, reason: `about ${near?.entity ?? ''}` });
  }
  if (understanding.intent === 'how-to') {
    const isProcedure = passage.document.store === 'procedural';
    found.push({ weight: boosts.procedure, share: isProcedure ? 1 : 0, reason: 'a procedure' });
  }
  return found;
}

function nearestEntity(
  entities: readonly string[],
  distances: ReadonlyMap<string, number>,
): { readonly entity: string; readonly distance: number } | undefined {
  let best: { entity: string; distance: number } | undefined;
  for (const entity of entities) {
    const distance = distances.get(entity);
    if (distance !== undefined && distance < (best?.distance ?? Infinity)) best = { entity, distance };
  }
  return best;
}

/** Where nothing is known: neither for nor against. */
const NEUTRAL = 0.5;
/** Very old memories stay comparable with each other's evidence (S2 §7.2). */
const OLDEST = 0.1;
/** The influence of age on a question that asks for no time: enough to put the newer of two equals first. */
const PLAIN_SWING = 0.2;

/** Recency, or nearness to the time asked about. A question about the past does not punish old memories. */
export function temporalFactor(
  timeMs: number | undefined,
  { intent, timeRange, isAboutThePast }: Pick<Understanding, 'intent' | 'timeRange' | 'isAboutThePast'>,
  { nowMs, halfLifeDays }: { readonly nowMs: number; readonly halfLifeDays: number },
): number {
  if (timeMs === undefined) return timeRange === undefined ? NEUTRAL : OLDEST;
  if (timeRange !== undefined) return nearness(timeMs, timeRange);
  const recency = Math.max(OLDEST, halved((nowMs - timeMs) / DAY_MS, halfLifeDays));
  if (intent === 'latest') return recency;
  return isAboutThePast ? NEUTRAL : NEUTRAL + PLAIN_SWING * (recency - NEUTRAL);
}

/** 1 inside the range, then fading with the distance in units of the range itself: "in May" is vaguer than "on 8 May". */
function nearness(timeMs: number, { sinceMs, untilMs }: TimeRange): number {
  const before = sinceMs === undefined ? 0 : sinceMs - timeMs;
  const after = untilMs === undefined ? 0 : timeMs - untilMs;
  const distanceMs = Math.max(0, before, after);
  const spanMs = sinceMs === undefined || untilMs === undefined ? 30 * DAY_MS : untilMs - sinceMs;
  return halved(distanceMs / Math.max(spanMs, DAY_MS), 1);
}

function halved(age: number, halfLife: number): number {
  return 2 ** -(Math.max(0, age) / halfLife);
}

function importanceFactor(passage: Pick<StoredPassage, 'importance'>): number {
  return passage.importance ?? NEUTRAL;
}

/** Used often and lately; S2 §7.2. */
export function accessFactor(use: Use | undefined, nowMs: number): number {
  if (use === undefined || use.count === 0) return NEUTRAL;
  const often = Math.min(1, Math.log1p(use.count) / 3);
  const lately = Math.max(0, 1 - (nowMs - use.lastMs) / (30 * DAY_MS));
  return NEUTRAL + 0.3 * often + 0.2 * lately;
}
