import type { LabelledQuestion } from './conversations.ts';

/** What goes into the prompt at a budget, and how much of what was needed is in it. */
export const BUDGETS = [1000, 2000, 4000] as const;
export type Budget = (typeof BUDGETS)[number];

/** The benchmark's own token. */
const CHARACTERS_PER_TOKEN = 4;
/** A turn that the budget's end cuts counts from this share on. */
const ENOUGH_OF_A_TURN = 0.8;

/** The texts one after another, cut where the budget ends. */
export function cutToBudget(texts: readonly string[], tokens: number): string {
  return texts.join('\n').slice(0, tokens * CHARACTERS_PER_TOKEN);
}

/** The share of a question's evidence that stands in the prompt. */
export function evidenceRecall(prompt: string, { evidence }: LabelledQuestion): number {
  const normal = oneLine(prompt);
  const found = evidence.filter(({ text }) => isIn(normal, oneLine(text)));
  return found.length / evidence.length;
}

function isIn(prompt: string, turn: string): boolean {
  if (prompt.includes(turn)) return true;
  const cut = prompt.lastIndexOf(turn.slice(0, Math.ceil(turn.length * ENOUGH_OF_A_TURN)));
  return cut !== -1 && turn.startsWith(prompt.slice(cut));
}

function oneLine(text: string): string {
  return text.replaceAll(/\s+/gu, ' ').trim();
}

/** What a system answers: its texts in order, and the sessions they are from. */
export interface SystemAnswer {
  readonly texts: readonly string[];
  readonly sessions: readonly string[];
}

/** Averages over questions, in percent. */
export class Scores {
  readonly #recall = new Map<Budget, number>();
  readonly #categories = new Map<number, { questions: number; recall: Map<Budget, number> }>();
  readonly #sessions = { any5: 0, any10: 0, all5: 0, all10: 0, share5: 0, share10: 0 };
  #questions = 0;
  #totalMs = 0;
  readonly #latencies: number[] = [];

  add(question: LabelledQuestion, byBudget: ReadonlyMap<Budget, SystemAnswer>, tookMs: number): void {
    this.#questions += 1;
    this.#totalMs += tookMs;
    this.#latencies.push(tookMs);
    const category = this.#categories.get(question.category) ?? { questions: 0, recall: new Map() };
    this.#categories.set(question.category, category);
    category.questions += 1;
    for (const [budget, { texts }] of byBudget) {
      const recall = evidenceRecall(cutToBudget(texts, budget), question);
      this.#recall.set(budget, (this.#recall.get(budget) ?? 0) + recall);
      category.recall.set(budget, (category.recall.get(budget) ?? 0) + recall);
    }
    this.#addSessions(question, byBudget.get(4000)?.sessions ?? []);
  }

  #addSessions({ sessions }: LabelledQuestion, ranked: readonly string[]): void {
    const distinct = [...new Set(ranked)];
    for (const count of [5, 10] as const) {
      const first = new Set(distinct.slice(0, count));
      const found = [...sessions].filter((session) => first.has(session)).length;
      this.#sessions[`any${count}`] += found > 0 ? 1 : 0;
      this.#sessions[`all${count}`] += found === sessions.size ? 1 : 0;
      this.#sessions[`share${count}`] += found / sessions.size;
    }
  }

  get questions(): number {
    return this.#questions;
  }

  recall(): Record<string, number> {
    return Object.fromEntries(BUDGETS.map((budget) => [budget, percent(this.#recall.get(budget), this.#questions)]));
  }

  byCategory(): Record<string, Record<string, number>> {
    const sorted = [...this.#categories].sort(([left], [right]) => left - right);
    return Object.fromEntries(
      sorted.map(([category, { questions, recall }]) => [
        category,
        { questions, ...Object.fromEntries(BUDGETS.map((budget) => [budget, percent(recall.get(budget), questions)])) },
      ]),
    );
  }

  /** Any evidence session among the first distinct ones; share and all beside it. */
  sessionRecall(): Record<string, number> {
    const { any5, any10, all5, all10, share5, share10 } = this.#sessions;
    const of = (value: number): number => percent(value, this.#questions);
    return { 5: of(any5), 10: of(any10), all5: of(all5), all10: of(all10), share5: of(share5), share10: of(share10) };
  }

  latency(): { readonly p50: number; readonly p95: number; readonly mean: number } {
    const sorted = [...this.#latencies].sort((left, right) => left - right);
    const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    return { p50: at(0.5), p95: at(0.95), mean: this.#totalMs / Math.max(1, this.#questions) };
  }
}

function percent(sum: number | undefined, count: number): number {
  return count === 0 ? 0 : Math.round(((sum ?? 0) / count) * 1000) / 10;
}
