import { isMnemeError } from '../../model/errors.ts';
import type { Judge } from '../../judge/judge.ts';
import { noteOf } from '../port.ts';
import type { ReadMessage } from '../text/message.ts';
import type { TriggerHit } from '../tier1/match.ts';
import type { WatchedTopic } from '../topic-file.ts';
import { measureNearness, TopicWords, type Nearness } from './nearness.ts';
import type { NoteVectors } from './note-vectors.ts';
import { highestScore, scoreEvidence, TRIGGERED_ALONE, type TopicScore } from './score.ts';

/** The parts of the packaged model that tier 2 needs; opened with the first message. */
export interface TopicModel {
  readonly vectors: NoteVectors;
  readonly judge: Pick<Judge, 'callsFor'>;
}

export interface Tier2Parts {
  /** 0–1: how rare a word is; 1 for one that the dictionary does not have. */
  readonly rarityOf: (word: string) => number;
  readonly model: () => TopicModel;
  readonly limits?: AskLimits | undefined;
}

/** A topic that may be meant, with everything that speaks for and against it. */
export interface Compared extends TopicScore {
  readonly topic: number;
  /** Null when the model could not be read. */
  readonly nearness: Nearness | null;
  /** The model's chance that the message calls for the topic; null when it was not asked. */
  readonly calls: number | null;
}

export interface Comparison {
  readonly compared: readonly Compared[];
  /** Why the model could not be asked, in words. */
  readonly notes: readonly string[];
}

/** Limits for asking the model about one message: a question takes 25 to 40 ms, and a hook waits for them. */
export interface AskLimits {
  readonly maxAsked: number;
  /** A topic that cannot come to this score, whatever the model says, is not worth a question. */
  readonly minHope: number;
}

const LIMITS: AskLimits = { maxAsked: 6, minHope: 0.1 };
/** Notes whose vectors are made while a message waits; the likeliest by their words first. */
const MAX_MADE = 4;
/** The part of a message read for its vector: the judge reads as much. */
const MAX_READ = 600;

/** Tier 2: the topics nearest to a message, each read beside it by the model. */
export class Tier2 {
  readonly #topics: readonly WatchedTopic[];
  readonly #words: TopicWords;
  readonly #model: () => TopicModel;
  readonly #limits: AskLimits;

  constructor(topics: readonly WatchedTopic[], { rarityOf, model, limits = LIMITS }: Tier2Parts) {
    this.#topics = topics;
    this.#limits = limits;
    this.#words = new TopicWords(topics, rarityOf);
    this.#model = model;
  }

  /** `isWatched` leaves out topics that do not look at this side of the conversation. */
  async compare(
    message: ReadMessage,
    hits: ReadonlyMap<number, readonly TriggerHit[]>,
    isWatched: (topic: number) => boolean,
  ): Promise<Comparison> {
    const watched = this.#topics.flatMap((_, topic) => (isWatched(topic) ? [topic] : []));
    if (watched.length === 0) return { compared: [], notes: [] };
    try {
      return { compared: await this.#compare(message, hits, watched), notes: [] };
    } catch (error) {
      if (!isMnemeError(error)) throw error;
      const alone = watched.flatMap((topic) =>
        hits.has(topic) ? [{ topic, nearness: null, calls: null, ...TRIGGERED_ALONE }] : [],
      );
      return { compared: alone, notes: [`Topics are found by their triggers alone: ${error.message}`] };
    }
  }

  async #compare(
    message: ReadMessage,
    hits: ReadonlyMap<number, readonly TriggerHit[]>,
    watched: readonly number[],
  ): Promise<Compared[]> {
    const { vectors, judge } = this.#model();
    const { maxAsked, minHope } = this.#limits;
    const text = message.text.slice(0, MAX_READ);
    const words = this.#words.compare(message);
    await vectors.make(this.#withoutVectors(vectors, words, watched));
    const notes = this.#topics.map((topic) => vectors.find(topic));
    const nearness = measureNearness(await vectors.ofMessage(text), words, notes);
    const candidates = watched
      .map((topic) => {
        const evidence = { nearness: nearness[topic] as Nearness, hits: hits.get(topic) ?? [] };
        return { topic, evidence, hope: highestScore(evidence) };
      })
      .sort((left, right) => right.hope - left.hope || left.topic - right.topic);
    const asked = new Set(candidates.filter(({ hope }) => hope >= minHope).slice(0, maxAsked));
    return candidates.flatMap((each) => {
      const { topic, evidence } = each;
      if (!asked.has(each) && evidence.hits.length === 0) return [];
      const calls = asked.has(each) ? judge.callsFor(text, this.#noteOf(topic))['calls'] : undefined;
      return [{ topic, nearness: evidence.nearness, calls: calls ?? null, ...scoreEvidence({ ...evidence, calls }) }];
    });
  }

  #withoutVectors(vectors: NoteVectors, words: readonly number[], watched: readonly number[]): WatchedTopic[] {
    return [...watched]
      .sort((left, right) => (words[right] ?? 0) - (words[left] ?? 0) || left - right)
      .flatMap((at) => this.#topics[at] ?? [])
      .filter((topic) => vectors.find(topic) === undefined)
      .slice(0, MAX_MADE);
  }

  #noteOf(topic: number): string {
    const found = this.#topics[topic];
    return found === undefined ? '' : noteOf(found).text;
  }
}
