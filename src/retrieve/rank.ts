import type { StoredPassage } from '../search-index/port.ts';
import type { Candidate } from './candidates.ts';
import type { Use } from '../memory/decay/uses.ts';
import { accessFactor, importanceFactor, temporalFactor } from './factors.ts';
import type { ScoreParts } from './hit.ts';
import type { Understanding } from './understand/understanding.ts';
import type { RetrievalWeights } from './weights.ts';

export interface Ranked {
  readonly passage: StoredPassage;
  readonly score: number;
  readonly scores: ScoreParts;
  /** The largest raw cosine of any model; undefined without vectors. */
  readonly similarity: number | undefined;
  /** What spoke for it beside words and meaning. */
  readonly reasons: readonly string[];
}

export interface RankContext {
  readonly understanding: Understanding;
  readonly weights: RetrievalWeights;
  readonly nowMs: number;
  readonly halfLifeDays: number;
  readonly uses: ReadonlyMap<string, Use>;
  /** How fresh the memory still is, 0 to 1; sinks it by at most `decayInfluence`. */
  readonly freshnessOf: (passage: StoredPassage) => number;
  readonly decayInfluence: number;
  /** What the models asked are worth together: meaning counts as far as it was asked for. */
  readonly modelWeight: number;
  /** What the temporal factor counts for this question. */
  readonly temporalWeight: number;
  /** How many relations away from an entity of the question each entity is. */
  readonly distances: ReadonlyMap<string, number>;
}

const FACTORS = ['semantic', 'lexical', 'temporal', 'importance', 'access'] as const;

interface Boost {
  readonly weight: number;
  /** 0 to 1. */
  readonly share: number;
  readonly reason: string;
}

/** Scores by the five factors and by what matches in other ways; the best first, equals by where they stand. */
export function rank(candidates: readonly Candidate[], context: RankContext): Ranked[] {
  return candidates.map((candidate) => rankOne(candidate, context)).sort(compareRanked);
}

export function compareRanked(left: Ranked, right: Ranked): number {
  return right.score - left.score || compareKeys(placeKey(left.passage), placeKey(right.passage));
}

/** Where a passage stands, however the index numbers it: a rebuilt index must break ties alike. */
function placeKey({ document, number, first }: StoredPassage): string {
  return `${document.source}/${document.path}#${String(number - first).padStart(6, '0')}`;
}

function compareKeys(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

function rankOne(candidate: Candidate, context: RankContext): Ranked {
  const { passage } = candidate;
  const scores: ScoreParts = {
    semantic: candidate.semantic,
    lexical: candidate.lexical,
    temporal: temporalFactor(passage.timeMs, context.understanding, context),
    importance: importanceFactor(passage),
    access: accessFactor(context.uses.get(passage.id), context.nowMs),
  };
  const boosts = findBoosts(passage, context);
  let sum = 0;
  let total = 0;
  for (const name of FACTORS) {
    const weight = weightOf(name, context);
    sum += weight * scores[name];
    total += weight;
  }
  for (const { weight, share } of boosts) {
    sum += weight * share;
    total += weight;
  }
  const faded = context.understanding.isAboutThePast ? 0 : 1 - context.freshnessOf(passage);
  const score = (total === 0 ? 0 : sum / total) * (1 - context.decayInfluence * faded);
  const reasons = boosts.flatMap(({ share, reason }) => (share > 0 ? [reason] : []));
  if (faded > 0.5) reasons.push('fading');
  return { passage, score, scores, similarity: candidate.similarity, reasons };
}

function weightOf(name: (typeof FACTORS)[number], { weights, modelWeight, temporalWeight }: RankContext): number {
  if (name === 'temporal') return temporalWeight;
  return weights.factors[name] * (name === 'semantic' ? modelWeight : 1);
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
