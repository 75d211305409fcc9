import { z } from 'zod';
import { ReceiptStore } from '../../compile/receipt-store.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { seesPrompt } from '../visible-to.ts';

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
  /** The message; null where the prompt is no longer kept. */
  readonly message: string | null;
  /** The prompt's receipt. */
  readonly receipt: string | null;
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
    const shown = found.slice(0, limit);
    const prompts = readPrompts(context, shown.at(-1)?.timestamp);
    return {
      decisions: shown.map((each) => ({
        id: each.id,
        timestamp: each.timestamp,
        message: prompts.get(each.timestamp)?.message ?? null,
        receipt: prompts.get(each.timestamp)?.id ?? null,
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

/** The prompts since a time, by when they were compiled: what was decided about topics bears the same time. */
function readPrompts(
  context: OperationContext,
  since: string | undefined,
): ReadonlyMap<string, { readonly id: string; readonly message: string }> {
  const prompts = new Map<string, { readonly id: string; readonly message: string }>();
  if (since === undefined) return prompts;
  for (const { receipt } of new ReceiptStore(nodeFileSystem, context.workspace.paths.journal).list()) {
    if (receipt.clock < since) break;
    if (receipt.message !== '' && seesPrompt(context, receipt.asked?.scope)) prompts.set(receipt.clock, receipt);
  }
  return prompts;
}
