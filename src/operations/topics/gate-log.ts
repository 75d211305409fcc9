import { z } from 'zod';
import { defineVerb } from '../verb.ts';

const input = z.strictObject({
  limit: z.number().int().min(1).max(1000).default(50),
  topic: z.string().max(1000).optional().describe('Only this topic, by name or path.'),
  session: z.string().max(200).optional(),
  before: z.string().max(40).optional().describe('Only what was decided before this time.'),
});

export type TopicsLogInput = z.input<typeof input>;

export interface LoggedDecision {
  readonly id: string;
  readonly timestamp: string;
  readonly topic: string;
  readonly path: string;
  readonly session: string | null;
  readonly side: 'input' | 'output';
  readonly outcome: 'active' | 'left-out';
  readonly reason: string;
  readonly matched: boolean;
  readonly score: number;
  /** null when the gate was not asked. */
  readonly gate: boolean | null;
  readonly by: string | null;
  readonly triggers: readonly string[];
  /** null until there was a reply. */
  readonly wasUseful: boolean | null;
}

export interface GateDecisions {
  /** The latest first. */
  readonly decisions: readonly LoggedDecision[];
  readonly hasMore: boolean;
}

export const topicsLog = defineVerb({
  name: 'topics log',
  summary: 'Which topics fired and which were left out, and why.',
  input,
  effect: 'read',
  async run(context, { limit, topic, session, before }): Promise<GateDecisions> {
    const found = (await context.parts.topics()).log
      .read()
      .filter((each) => topic === undefined || each.topic_name === topic || each.topic_path === topic)
      .filter((each) => session === undefined || each.session === session)
      .filter(({ timestamp }) => before === undefined || timestamp < before)
      .toReversed();
    return {
      decisions: found.slice(0, limit).map((each) => ({
        id: each.id,
        timestamp: each.timestamp,
        topic: each.topic_name,
        path: each.topic_path,
        session: each.session,
        side: each.side,
        outcome: each.outcome,
        reason: each.reason,
        matched: each.tier1_matched,
        score: each.tier2_score,
        gate: each.gate_result,
        by: each.by,
        triggers: each.triggers,
        wasUseful: each.was_useful,
      })),
      hasMore: found.length > limit,
    };
  },
  cli: { args: ['topic'], options: { session: { value: 'id' }, before: { value: 'time' } } },
  render: async (view, output) => (await import('./render.ts')).renderDecisions(view, output),
});
