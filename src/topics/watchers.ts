import { type WatchedMessage, noteOf } from './port.ts';
import { ReadMessage, type TextSenses } from './text/message.ts';
import { Spelling, readWords } from './text/words.ts';
import { Tier1, type TriggerHit } from './tier1/match.ts';
import type { Tone } from './tier1/tone.ts';
import { AGENT_TRIGGERED, TOUCHED, type ScorePart } from './tier2/score.ts';
import { Tier2, type Compared, type Tier2Parts } from './tier2/tier2.ts';
import { watches, type WatchedTopic } from './topic-file.ts';

/** A topic that a message may be about, as far as tiers 1 and 2 can tell. */
export interface Sighting extends Pick<Compared, 'nearness' | 'calls'> {
  readonly topic: WatchedTopic;
  /** Tier 1: what set a trigger off. */
  readonly hits: readonly TriggerHit[];
  /** Tier 2, on the scale of `similarity_threshold`. */
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

export interface Watched {
  /** Most likely first. */
  readonly sightings: readonly Sighting[];
  readonly tone: Tone | undefined;
  /** Trouble worth telling: the model could not be read. */
  readonly notes: readonly string[];
}

export interface WatcherSenses extends Omit<TextSenses, 'spelling'>, Tier2Parts {}

/** Triggers about what is said. */
const WORDED: ReadonlySet<string> = new Set(['keywords', 'mention', 'pattern', 'sentiment', 'language']);

/** All topics, prepared so that a message is looked at once for all of them. */
export class Watchers {
  readonly topics: readonly WatchedTopic[];
  readonly #tier1: Tier1;
  readonly #tier2: Tier2;
  readonly #senses: TextSenses;
  readonly #needsTone: boolean;

  constructor(topics: readonly WatchedTopic[], senses: WatcherSenses) {
    this.topics = topics;
    this.#tier1 = new Tier1(topics);
    this.#tier2 = new Tier2(topics, senses);
    const spelling = new Spelling((word) => senses.rarityOf(word) < 1);
    for (const topic of topics) {
      for (const { folded, isContent } of readWords(noteOf(topic).text)) if (isContent) spelling.learn(folded);
    }
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
  async score(
    message: ReadMessage,
    hits: ReadonlyMap<number, readonly TriggerHit[]>,
  ): Promise<Pick<Watched, 'sightings' | 'notes'>> {
    const certain = [...hits].flatMap(([topic, own]) => {
      if (own.some(isTouched)) return [{ topic, nearness: null, calls: null, ...TOUCHED }];
      return message.role === 'agent' ? [{ topic, nearness: null, calls: null, ...AGENT_TRIGGERED }] : [];
    });
    const isCertain = new Set(certain.map(({ topic }) => topic));
    const isOpen = (topic: number): boolean =>
      !isCertain.has(topic) && (hits.has(topic) || this.#isWatched(topic, message));
    const { compared, notes } = await this.#tier2.compare(message, hits, isOpen);
    const sightings = [...certain, ...compared].flatMap(({ topic: at, ...rest }) => {
      const topic = this.topics[at];
      return topic === undefined ? [] : [{ topic, hits: hits.get(at) ?? [], ...rest }];
    });
    sightings.sort((left, right) => right.score - left.score || (left.topic.path < right.topic.path ? -1 : 1));
    return { sightings, notes };
  }

  async watch(said: WatchedMessage, before?: Tone): Promise<Watched> {
    const message = this.read(said);
    const found = await this.score(message, this.matchTriggers(message, before));
    return { ...found, tone: this.#needsTone ? message.tone : undefined };
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

function isTouched({ trigger, isLoose }: TriggerHit): boolean {
  return trigger.type === 'glob' && !isLoose;
}
