import type { WatchedMessage } from './port.ts';
import { ReadMessage, type TextSenses } from './text/message.ts';
import { Spelling } from './text/spelling.ts';
import { Tier1, type TriggerHit } from './tier1/match.ts';
import type { Tone } from './tier1/tone.ts';
import type { Features, Likeness } from './tier2/features.ts';
import { makeProfile, type TopicProfile } from './tier2/profile.ts';
import { scoreFeatures, type ScorePart } from './tier2/score.ts';
import { Tier2 } from './tier2/tier2.ts';
import type { WordVectors } from './tier2/word-vectors.ts';
import { watches, type WatchedTopic } from './topic-file.ts';

/** A topic that a message may be about, as far as tiers 1 and 2 can tell. */
export interface Sighting {
  readonly topic: WatchedTopic;
  /** Tier 1: what set a trigger off. */
  readonly hits: readonly TriggerHit[];
  /** Tier 2, on the scale of `similarity_threshold`. */
  readonly score: number;
  readonly parts: readonly ScorePart[];
  readonly likeness: Likeness;
  readonly features: Features;
}

export interface Watched {
  /** Most likely first. */
  readonly sightings: readonly Sighting[];
  readonly tone: Tone | undefined;
}

/** Triggers about what is said. */
const WORDED: ReadonlySet<string> = new Set(['keywords', 'mention', 'pattern', 'sentiment', 'language']);

const profiles = new WeakMap<WatchedTopic, TopicProfile>();

/** All topics, prepared so that a message is looked at once for all of them. */
export class Watchers {
  readonly topics: readonly WatchedTopic[];
  readonly #tier1: Tier1;
  readonly #tier2: Tier2;
  readonly #senses: TextSenses;
  readonly #needsTone: boolean;

  constructor(topics: readonly WatchedTopic[], senses: Omit<TextSenses, 'spelling'>, vectors: WordVectors) {
    this.topics = topics;
    this.#tier1 = new Tier1(topics);
    const made = topics.map((topic) => profileOf(topic, vectors));
    this.#tier2 = new Tier2(made, vectors);
    const spelling = new Spelling((word) => vectors.isWord(word));
    for (const { vocabulary } of made) for (const word of vocabulary) spelling.learn(word);
    this.#senses = { ...senses, spelling };
    this.#needsTone = topics.some(({ triggers }) => triggers.some(({ type }) => type === 'sentiment'));
  }

  read(message: WatchedMessage): ReadMessage {
    return new ReadMessage(message, this.#senses);
  }

  /** Tier 1: what was set off, by the topic's place. */
  matchTriggers(message: ReadMessage, before?: Tone): Map<number, TriggerHit[]> {
    return this.#tier1.match(message, { before });
  }

  /** Tier 2, for what tier 1 found and for the topics nearest to the message. */
  score(message: ReadMessage, hits: ReadonlyMap<number, readonly TriggerHit[]>): Sighting[] {
    const isWatched = (topic: number): boolean => hits.has(topic) || this.#isWatched(topic, message);
    const compared = this.#tier2.compare(message, hits, isWatched);
    const sightings = compared.flatMap(({ topic: at, likeness, features }) => {
      const topic = this.topics[at];
      if (topic === undefined) return [];
      const own = hits.get(at) ?? [];
      return [{ topic, hits: own, likeness, features, ...scoreSighting(features, own) }];
    });
    return sightings.sort((left, right) => right.score - left.score || (left.topic.path < right.topic.path ? -1 : 1));
  }

  watch(said: WatchedMessage, before?: Tone): Watched {
    const message = this.read(said);
    const sightings = this.score(message, this.matchTriggers(message, before));
    return { sightings, tone: this.#needsTone ? message.tone : undefined };
  }

  /**
   * Whether a topic may be meant though none of its triggers was set off. What the agent writes is only ever corrected
   * for what a trigger names, and a topic that waits for files or code does not want to hear of what is like it.
   */
  #isWatched(at: number, { role }: ReadMessage): boolean {
    if (role !== 'user') return false;
    const topic = this.topics[at];
    return topic?.triggers.some((trigger) => WORDED.has(trigger.type) && watches(trigger, role)) === true;
  }
}

/** A file that was touched is a fact, whatever was said about it. */
function scoreSighting(
  features: Features,
  hits: readonly TriggerHit[],
): { readonly score: number; readonly parts: readonly ScorePart[] } {
  if (hits.some(({ trigger, isLoose }) => trigger.type === 'glob' && !isLoose)) {
    return { score: 1, parts: [{ name: 'a file of the topic was touched', weight: Infinity }] };
  }
  return scoreFeatures(features, hits.length > 0);
}

function profileOf(topic: WatchedTopic, vectors: WordVectors): TopicProfile {
  const known = profiles.get(topic) ?? makeProfile(topic, vectors);
  profiles.set(topic, known);
  return known;
}
