import type { Conversation } from './conversations.ts';
import { Scores } from './measure.ts';
import { ConversationHome, COVERAGE_ORDERS } from './system.ts';
import type { Tier } from './tiers.ts';

/**
 * The same questions while the preferred model has vectors of nothing, of some and of everything, in the order in which
 * background work makes them and in a random one; all in one run.
 */
export async function scoreCoverage(
  conversations: readonly Conversation[],
  tier: Tier,
  percents: readonly number[],
): Promise<Map<string, Scores>> {
  const scores = new Map<string, Scores>();
  const add = async (name: string, home: ConversationHome, { questions }: Conversation): Promise<void> => {
    const own = scores.get(name) ?? new Scores();
    scores.set(name, own);
    for (const question of questions) {
      const { byBudget, tookMs } = await home.ask(question.text);
      own.add(question, byBudget, tookMs);
    }
  };
  for (const conversation of conversations) {
    // A text is embedded once for both orders.
    const known = new Map<string, Float32Array>();
    for (const order of COVERAGE_ORDERS) {
      const home = await ConversationHome.build(conversation, tier, 'static');
      try {
        if (order === 'newest') await add('static', home, conversation);
        for (const percent of percents) {
          await home.cover(order, percent / 100, known);
          await add(`${order} ${percent} %`, home, conversation);
        }
        await home.cover(order, 1, known);
        if (order === 'newest') await add(tier.name, home, conversation);
      } finally {
        await home.close();
      }
    }
  }
  return new Map([...scores].sort(([left], [right]) => placeOf(left, tier) - placeOf(right, tier)));
}

/** Nothing first, everything last. */
function placeOf(name: string, tier: Tier): number {
  if (name === 'static') return 0;
  return name === tier.name ? Infinity : Number(/\d+/u.exec(name)?.[0]);
}
