import type { Candidate } from '../../model/knowledge.ts';
import type { Answer } from '../port.ts';
import type { Sifted } from './guard/findings.ts';
import { canonicalWords } from '../../model/same-words.ts';

/** Joins the findings of a conversation's pieces into one answer. */
export class JoinedFindings {
  readonly #model: string;
  readonly #pieces: number;
  readonly #byKey = new Map<string, Candidate>();
  readonly #dropped = new Map<string, number>();
  readonly #notes: string[] = [];
  #total = 0;
  hasModelAnswers = false;

  constructor(model: string, pieces: number) {
    this.#model = model;
    this.#pieces = pieces;
  }

  addSifted({ candidates, dropped }: Sifted): void {
    this.hasModelAnswers = true;
    this.#add(candidates);
    this.#total += candidates.length;
    for (const [reason, count] of dropped) {
      this.#dropped.set(reason, (this.#dropped.get(reason) ?? 0) + count);
      this.#total += count;
    }
  }

  addFallback(
    { output, by, notes }: Answer<readonly Candidate[]>,
    piece: number,
    reason = 'no answer',
    isRest = false,
  ): void {
    this.#add(output);
    const which = `part ${piece + 1}${isRest && piece + 1 < this.#pieces ? ` to ${this.#pieces}` : ''} of ${this.#pieces}`;
    this.#notes.push(`${this.#model} could not extract from ${which}: ${reason}. ${by} answered instead.`, ...notes);
  }

  toAnswer(): Answer<readonly Candidate[]> {
    return { output: [...this.#byKey.values()], by: this.#model, notes: [...this.#droppedNote(), ...this.#notes] };
  }

  #droppedNote(): string[] {
    const reasons = [...this.#dropped].map(([reason, count]) => `${count} ${reason}`);
    const count = [...this.#dropped.values()].reduce((sum, each) => sum + each, 0);
    if (count === 0) return [];
    return [
      `${count} of ${this.#total} findings of ${this.#model} ${count === 1 ? 'was' : 'were'} dropped: ${reasons.join(', ')}.`,
    ];
  }

  /** The same sentence found in two pieces is one finding; the first is kept. */
  #add(candidates: readonly Candidate[]): void {
    for (const candidate of candidates) {
      const key = `${candidate.kind} ${canonicalWords(candidate.statement)}`;
      if (!this.#byKey.has(key)) this.#byKey.set(key, candidate);
    }
  }
}
