import { SeededRandom } from '../../test/support/seeded-random.ts';
import type { Conversation } from './conversations.ts';
import { cutToBudget, evidenceRecall } from './measure.ts';
import { ConversationHome } from './system.ts';
import type { Tier } from './tiers.ts';

const BUDGET = 1000;
const RESAMPLES = 1000;

export interface Comparison {
  readonly questions: number;
  /** Percent of the evidence that is not within the budget. */
  readonly missesBefore: number;
  readonly missesAfter: number;
  /** Percent of the misses that are gone, with the bounds that hold 95 of 100 resamples of the questions. */
  readonly gone: number;
  readonly from: number;
  readonly to: number;
}

interface Misses {
  readonly before: number;
  readonly after: number;
}

/** What one tier misses at 1,000 tokens and another finds, of each conversation and of all. */
export async function compareTiers(
  conversations: readonly Conversation[],
  before: Tier,
  after: Tier,
): Promise<Map<string, Comparison>> {
  const compared = new Map<string, Comparison>();
  const all: Misses[] = [];
  for (const conversation of conversations) {
    const earlier = await missesOf(conversation, before);
    const later = await missesOf(conversation, after);
    const misses = earlier.map((value, at) => ({ before: value, after: later[at] ?? 1 }));
    compared.set(conversation.id, summarize(misses));
    all.push(...misses);
  }
  return compared.set('all', summarize(all));
}

async function missesOf(conversation: Conversation, tier: Tier): Promise<number[]> {
  const home = await ConversationHome.build(conversation, tier);
  try {
    const misses: number[] = [];
    for (const question of conversation.questions) {
      const { byBudget } = await home.ask(question.text);
      misses.push(1 - evidenceRecall(cutToBudget(byBudget.get(BUDGET)?.texts ?? [], BUDGET), question));
    }
    return misses;
  } finally {
    await home.close();
  }
}

function summarize(misses: readonly Misses[]): Comparison {
  const random = new SeededRandom(21);
  const draws = Array.from({ length: RESAMPLES }, () =>
    shareGone(misses.flatMap(() => misses[Math.floor(random.number() * misses.length)] ?? [])),
  ).sort((left, right) => left - right);
  const percent = (share: number): number => Math.round(share * 1000) / 10;
  const average = (pick: (one: Misses) => number): number =>
    misses.reduce((sum, one) => sum + pick(one), 0) / misses.length;
  return {
    questions: misses.length,
    missesBefore: percent(average((one) => one.before)),
    missesAfter: percent(average((one) => one.after)),
    gone: percent(shareGone(misses)),
    from: percent(draws[Math.floor(RESAMPLES * 0.025)] ?? 0),
    to: percent(draws[Math.floor(RESAMPLES * 0.975)] ?? 0),
  };
}

function shareGone(misses: readonly Misses[]): number {
  let before = 0;
  let after = 0;
  for (const one of misses) {
    before += one.before;
    after += one.after;
  }
  return before === 0 ? 0 : 1 - after / before;
}
