import { z } from 'zod';
import type { Nearness } from '../../topics/tier2/nearness.ts';
import type { ScorePart } from '../../topics/tier2/score.ts';
import type { Judged } from '../../topics/topics.ts';
import { defineVerb } from '../verb.ts';
import { scopeField } from './list.ts';

const input = z.object({
  message: z.string().max(1_000_000).default('').describe('What is said.'),
  role: z.enum(['user', 'agent']).default('user').describe('Who says it: triggers of scope output look at the agent.'),
  paths: z.array(z.string().max(1000)).max(100).optional().describe('Files that a tool call touches.'),
  scope: scopeField,
  all: z.boolean().optional().describe('Also topics that nothing speaks for.'),
});
export type TestTopicsInput = z.input<typeof input>;

/** The result for a topic, tier by tier. */
export interface TestedTopic {
  readonly name: string;
  readonly path: string;
  readonly isActive: boolean;
  readonly tier1: readonly { readonly trigger: string; readonly found: string; readonly isLoose: boolean }[];
  readonly tier2: {
    readonly score: number;
    /** The model's chance that the message calls for the topic; null when it was not asked. */
    readonly calls: number | null;
    /** Null when nothing had to be compared, or the model could not be read. */
    readonly nearness: Nearness | null;
    readonly parts: readonly ScorePart[];
  };
  readonly verdict: 'activate' | 'ask' | 'drop';
  readonly reason: string;
  /** Null when the gate was not asked. */
  readonly tier3: { readonly isYes: boolean; readonly by: string } | null;
  /** The text that would be injected on the agent's next turn. */
  readonly corrections: readonly string[];
}

export interface TestedTopics {
  readonly fires: readonly string[];
  readonly topics: readonly TestedTopic[];
  readonly notes: readonly string[];
}

/** Less likely ones are shown with `--all`. */
const MIN_SHOWN_SCORE = 0.02;

export const testTopics = defineVerb({
  name: 'topics test',
  summary: 'Say which topics a message activates and why, tier by tier. Nothing is remembered of it.',
  description: 'Say which topics a message activates and why, tier by tier. `-` reads the message from standard input.',
  examples: ['mneme topics test "Please deploy to production"'],
  input,
  args: ['message...'],
  effect: 'read',
  async run(context, { message, role, paths, scope, all }): Promise<TestedTopics> {
    const { topics } = await context.parts.topics();
    const { judged, notes } = await topics.judge(
      { text: message, role, paths },
      await topics.visible(scope ?? 'shared'),
    );
    const shown = judged.filter(
      ({ sighting, isActive }) =>
        all === true || isActive || sighting.hits.length > 0 || sighting.score >= MIN_SHOWN_SCORE,
    );
    const tested = shown.map(describe).sort((left, right) => Number(right.isActive) - Number(left.isActive));
    return { fires: tested.filter(({ isActive }) => isActive).map(({ name }) => name), topics: tested, notes };
  },
  http: { method: 'POST' },
  cli: {
    stdin: 'message',
    options: {
      role: { value: 'role' },
      paths: { flag: 'path', value: 'paths', list: 'words' },
      scope: { value: 'scope' },
    },
    notes: ({ notes }) => notes,
  },
  render: async (view, output) => (await import('./render.ts')).renderTested(view, output),
});

function describe({ sighting, verdict, gate, isActive }: Judged): TestedTopic {
  const { topic, hits, score, calls, nearness, parts } = sighting;
  const hints = hits.flatMap(({ trigger }) => trigger.correction_hint ?? []);
  return {
    name: topic.name,
    path: topic.path,
    isActive,
    tier1: hits.map(({ trigger, found, isLoose }) => ({ trigger: trigger.type, found, isLoose })),
    tier2: { score, calls, nearness, parts },
    verdict: verdict.outcome,
    reason: verdict.reason,
    tier3: gate ?? null,
    corrections: isActive ? [...new Set(hints)] : [],
  };
}
