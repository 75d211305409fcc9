import { normalize } from '../../providers/embeddings/vector.ts';
import type { ReadMessage } from '../text/message.ts';
import type { TriggerHit } from '../tier1/match.ts';
import { compareFields, findFields, type FieldWord } from './domains.ts';
import { featuresOf, isWordHit, type Features, type Lead, type Likeness, type PairEvidence } from './features.ts';
import { compareWords, dotRow, TopicFrequencies, weighWords, type WeighedWord } from './likeness.ts';
import { meanVector, piecesOf, type TopicDetail, type TopicProfile } from './profile.ts';
import type { WordVectors } from './word-vectors.ts';

/** Topics that are compared word by word: the nearest, whether or not a trigger was set off. */
const MAX_NEAREST = 10;
/** Of topics whose triggers were set off, the likeliest; more are never meant at once. */
const MAX_MATCHED = 12;
/** Clauses that are compared with lines: those the message is about, and no more than it takes to say what that is. */
const MIN_WORTH = 0.5;
const MAX_CLAUSES = 6;
/** What a field in common is worth beside meaning when the nearest are chosen. */
const FIELD_PROMISE = 0.15;

/** A topic that may be meant, with everything that speaks for and against it. */
export interface Compared {
  readonly topic: number;
  readonly likeness: Likeness;
  readonly features: Features;
}

/** Tier 2: how alike a message and each topic are, by words and by meaning. */
export class Tier2 {
  readonly #profiles: readonly TopicProfile[];
  readonly #vectors: WordVectors;
  readonly #frequencies: TopicFrequencies;
  readonly #norms: readonly number[];
  /** Of all topics, one after the other. */
  readonly #vectorsOfTopics: Float32Array;
  /** Which topics have a word. */
  readonly #byStem = new Map<string, number[]>();

  constructor(profiles: readonly TopicProfile[], vectors: WordVectors) {
    this.#profiles = profiles;
    this.#vectors = vectors;
    this.#vectorsOfTopics = new Float32Array(profiles.length * vectors.dimensions);
    profiles.forEach(({ vector }, topic) => this.#vectorsOfTopics.set(vector, topic * vectors.dimensions));
    const frequencies = new TopicFrequencies(profiles);
    this.#frequencies = frequencies;
    this.#norms = profiles.map((profile) => frequencies.normOf(profile));
    profiles.forEach(({ stems }, topic) => {
      for (const stem of stems.keys()) {
        const topics = this.#byStem.get(stem) ?? [];
        topics.push(topic);
        this.#byStem.set(stem, topics);
      }
    });
  }

  /** `isWatched` leaves out topics that do not look at this side of the conversation. */
  compare(
    message: ReadMessage,
    hits: ReadonlyMap<number, readonly TriggerHit[]>,
    isWatched: (topic: number) => boolean,
  ): Compared[] {
    const words = weighWords(message.words, message.worths, this.#vectors);
    const meanings = this.#meanings(words);
    const messagePieces = piecesOf(message.text);
    const fields = fieldWords(words);
    const clauses = this.#vectorsOfClauses(message);
    const candidates = this.#candidates(words, this.#promises(meanings, fields), hits, isWatched);
    const compared = candidates.flatMap((topic) => {
      const profile = this.#profiles[topic];
      if (profile === undefined) return [];
      const own = hits.get(topic) ?? [];
      const matched = stemsOf(message, own);
      const likeness = compareWords(words, profile, {
        frequencies: this.#frequencies,
        meaning: meanings[topic] ?? 0,
        matched,
        messagePieces,
        norm: this.#norms[topic] ?? 0,
        fields,
        restFields: fields.filter(({ stem }) => !matched.has(stem)),
        line: bestLine(clauses, profile.detail(), this.#vectors.dimensions),
      });
      return [{ topic, own, likeness }];
    });
    const inWords = new Set([...hits].filter(([, found]) => found.some(isWordHit)).map(([topic]) => topic));
    const isOtherHit = (topic: number): boolean => inWords.size > (inWords.has(topic) ? 1 : 0);
    return compared.map(({ topic, own, likeness }) => {
      const others = compared.filter((other) => other.topic !== topic).map((other) => other.likeness);
      const lead = leadOf(likeness, others);
      const evidence: PairEvidence = { likeness, lead, hits: own, isOtherHit: isOtherHit(topic) };
      return { topic, likeness, features: featuresOf(message, evidence) };
    });
  }

  #vectorsOfClauses({ clauses, words, worths }: ReadMessage): Float32Array[] {
    return clauses
      .filter(({ first }) => (worths[first] ?? 1) >= MIN_WORTH)
      .slice(0, MAX_CLAUSES)
      .map(({ first, last }) => meanVector(words.slice(first, last + 1), this.#vectors));
  }

  #meanings(words: readonly WeighedWord[]): number[] {
    const sum = new Float32Array(this.#vectors.dimensions);
    for (const { vector, weight } of words) {
      if (vector === undefined) continue;
      for (let at = 0; at < sum.length; at += 1) sum[at] = (sum[at] as number) + (vector[at] as number) * weight;
    }
    normalize(sum);
    return this.#profiles.map((_, topic) => dotRow(sum, this.#vectorsOfTopics, topic));
  }

  /** How near each topic seems before words are compared one by one. */
  #promises(meanings: readonly number[], fields: readonly FieldWord[]): number[] {
    return this.#profiles.map(
      (profile, topic) => (meanings[topic] ?? 0) + FIELD_PROMISE * compareFields(fields, profile.fields).shared,
    );
  }

  #candidates(
    words: readonly WeighedWord[],
    promises: readonly number[],
    hits: ReadonlyMap<number, readonly TriggerHit[]>,
    isWatched: (topic: number) => boolean,
  ): number[] {
    const promise = [...promises];
    for (const { word, weight } of words) {
      for (const topic of this.#byStem.get(word.stem) ?? []) {
        promise[topic] = (promise[topic] ?? 0) + 0.3 * weight * this.#frequencies.rarity(word.stem);
      }
    }
    const watched = promise.flatMap((value, topic) => (isWatched(topic) ? [{ topic, value }] : []));
    const nearest = watched.sort((left, right) => right.value - left.value || left.topic - right.topic);
    const chosen = new Set(nearest.slice(0, MAX_NEAREST).map(({ topic }) => topic));
    const matched = nearest.filter(({ topic }) => hits.has(topic));
    for (const { topic } of matched.slice(0, MAX_MATCHED)) chosen.add(topic);
    // A touched file decides alone, however little the words fit.
    for (const { topic } of matched) if (hits.get(topic)?.some(isTouched) === true) chosen.add(topic);
    return [...chosen].sort((left, right) => left - right);
  }
}

function fieldWords(words: readonly WeighedWord[]): FieldWord[] {
  return words.flatMap(({ word: { stem }, worth }) => {
    const fields = findFields(stem);
    return fields.length === 0 ? [] : [{ stem, worth, fields }];
  });
}

function isTouched({ trigger, isLoose }: TriggerHit): boolean {
  return trigger.type === 'glob' && !isLoose;
}

function bestLine(clauses: readonly Float32Array[], { lines }: TopicDetail, dimensions: number): number {
  let best = 0;
  for (const clause of clauses) {
    for (let row = 0; row * dimensions < lines.length; row += 1) best = Math.max(best, dotRow(clause, lines, row));
  }
  return best;
}

function stemsOf({ words }: ReadMessage, hits: readonly TriggerHit[]): Set<string> {
  const stems = new Set<string>();
  for (const hit of hits) {
    if (!isWordHit(hit)) continue;
    for (const { stem } of words.slice(hit.first, (hit.last ?? 0) + 1)) stems.add(stem);
  }
  return stems;
}

/**
 * What the best of thirty unrelated topics typically reaches. Where there are few topics, a message is compared with
 * these: being the only candidate proves nothing.
 */
const USUAL_COVERAGE = 0.43;
const USUAL_SUPPORT = 1.05;

function leadOf(own: Likeness, others: readonly Likeness[]): Lead {
  const byCoverage = ({ coverage, meaning }: Likeness): number => coverage + 0.5 * meaning;
  const bySupport = ({ support, meaning }: Likeness): number => support + meaning;
  const best = (by: (likeness: Likeness) => number, usual: number): number => Math.max(usual, ...others.map(by));
  return {
    coverage: byCoverage(own) - best(byCoverage, USUAL_COVERAGE),
    support: bySupport(own) - best(bySupport, USUAL_SUPPORT),
  };
}
