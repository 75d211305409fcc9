import { hash } from 'node:crypto';
import type { GateInput, Reasoner } from '../reasoner/port.ts';
import { probabilityOf } from './tier2/score.ts';
import { keywordsOf } from './topic-file.ts';
import type { Sighting } from './watchers.ts';

export interface GateAnswer {
  readonly isYes: boolean;
  /** The model or heuristic that answered. */
  readonly by: string;
  readonly notes: readonly string[];
}

/** S0 §5.2: as much of the message, and of what the topic is for, as a yes or no needs. */
const MAX_MESSAGE = 500;
const MAX_DESCRIPTION = 200;
/** As likely as not: where tier 2 puts its own line. */
const EVEN = 0.5;

/** A person waits for the answer; a hook that asks has to end within about as long. */
const TIMEOUT_MS = 2000;
/** Answers of a day's conversations; they are small. */
const MAX_KNOWN = 1000;

/** Tier 3: is this topic relevant to this message? Answers are remembered by message and topic. */
export class Gate {
  readonly #reasoner: () => Promise<Reasoner>;
  readonly #timeoutMs: number;
  readonly #known = new Map<string, GateAnswer>();

  constructor(reasoner: () => Promise<Reasoner>, timeoutMs = TIMEOUT_MS) {
    this.#reasoner = reasoner;
    this.#timeoutMs = timeoutMs;
  }

  async ask(message: string, { topic, score, hits }: Sighting, signal?: AbortSignal): Promise<GateAnswer> {
    const key = hash('sha256', `${message.slice(0, MAX_MESSAGE)}\n${topic.path}\n${topic.contentHash}`);
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const input: GateInput = {
      message: message.slice(0, MAX_MESSAGE).toWellFormed(),
      topic: {
        name: topic.title,
        description: topic.description.slice(0, MAX_DESCRIPTION).toWellFormed(),
        keywords: keywordsOf(topic).slice(0, 20),
      },
      matched: hits.map(({ found }) => found.slice(0, 100)),
      likeness: probabilityOf(score),
    };
    const answer = await this.#askInTime(input, signal);
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    if (answer.isLasting) this.#known.set(key, answer);
    return answer;
  }

  /** A person waits for the answer: past the limit, tier 2 decides alone, and it is said. */
  async #askInTime(
    input: GateInput,
    signal: AbortSignal | undefined,
  ): Promise<GateAnswer & { readonly isLasting: boolean }> {
    const limit = AbortSignal.timeout(this.#timeoutMs);
    try {
      const reasoner = await this.#reasoner();
      const both = signal === undefined ? limit : AbortSignal.any([limit, signal]);
      const { output, by, notes } = await reasoner.ask('gate', input, { signal: both });
      return { isYes: output, by, notes, isLasting: notes.length === 0 };
    } catch (error) {
      if (!limit.aborted || signal?.aborted === true) throw error;
      const note = `The gate did not answer within ${this.#timeoutMs} ms; the score decided.`;
      return { isYes: input.likeness >= EVEN, by: 'score', notes: [note], isLasting: false };
    }
  }
}
