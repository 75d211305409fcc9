import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { slugify } from '../../workspace/safety/paths.ts';
import type { Purposes } from '../port.ts';
import { failuresOf, REASONER_CASES, type ReasonerCase } from '../testing/table.ts';
import { findings, startHarness, type Harness } from './testing/harness.ts';

/*
 * The table every reasoner must pass, with a model that gives the right answers: whatever is between the model and the
 * caller must let them through.
 */

function rightAnswer({ input, expected }: ReasonerCase): string {
  switch (expected.purpose) {
    case 'extract':
    case 'flush': {
      const { turns } = (input as Purposes['extract']['input']).conversation;
      const cited = turns.slice(-2).reverse();
      const quote = cited[0]?.text.slice(0, 60) ?? '';
      return findings(
        ...expected.kept.map(({ kind, says }) => ({
          kind,
          statement: `Ada: ${says.join(' ')}, ${quote}`,
          quote,
          turns: cited.map(({ id }) => id),
        })),
      );
    }
    case 'route':
      return JSON.stringify({ ...NOTHING, store: expected.store, summary: (input as Purposes['route']['input']).text });
    case 'resolve_contradiction':
      return JSON.stringify({ verdict: expected.verdicts[0], reason: 'It is so.' });
    case 'gate':
      return JSON.stringify({ answer: expected.isWanted ? 'YES' : 'NO' });
    case 'slug': {
      const { text } = input as Purposes['slug']['input'];
      const names = [slugify(text, 48), slugify(text.replaceAll(/\b(?:to|the)\b/gu, ''), 48), 'untitled', 'language'];
      return JSON.stringify({ slug: names.find((name) => expected.slug.test(name)) });
    }
    case 'summarise': {
      const points = [`Ada spoke of ${expected.mentions.join(' and ')}.`];
      return JSON.stringify({ topic: expected.mentions[0], points, decisions: [], errors: [], next: [], tags: [] });
    }
  }
}

const NOTHING = { kind: '', entities: [], relations: [], tags: [], confidence: 'high', is_core_worthy: false };

describe('the table of all reasoners', () => {
  let harness: Harness;
  let answer = '';

  beforeAll(async () => {
    harness = await startHarness(() => answer, {
      settings: { daily_max_calls: 1000 },
      parts: { cacheDays: 0, maxRepairs: 0 },
    });
  });
  afterAll(() => harness.close());

  it.each(REASONER_CASES.map((each) => [each.name, each] as const))('%s', async (_name, each) => {
    answer = rightAnswer(each);
    const before = harness.calls.length;
    expect(await failuresOf(harness.reasoner, each)).toEqual([]);
    expect(harness.calls.slice(before)).toMatchObject([{ outcome: 'ok', purpose: each.expected.purpose }]);
  });
});
