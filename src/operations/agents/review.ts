import { z } from 'zod';
import { roleOf } from '../../model/mutation.ts';
import type { Confidence } from '../../model/schemas/fields.ts';
import { renderPendingMemories, statusOf, type NumberedProposal } from '../../proposals/agents/pending-memories.ts';
import type { SuggestedStore } from '../../proposals/agents/statement.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { markRivals } from '../proposals/find-conflicts.ts';
import { isWaiting, numberedProposals } from '../proposals/find.ts';

const input = z.strictObject({
  from: z.string().trim().min(1).optional().describe('Only what this agent proposed.'),
  limit: z.number().int().min(1).max(10_000).default(100).describe('The oldest so many.'),
});

export type AgentsReviewInput = z.input<typeof input>;

export interface ReviewedProposal {
  /** In the view; it changes as soon as something is decided, so decisions name the id. */
  readonly number: number;
  readonly id: string;
  readonly from: string;
  readonly time: string;
  readonly trigger: string | null;
  readonly store: SuggestedStore | null;
  readonly content: string;
  readonly entities: readonly string[];
  readonly confidence: Confidence | null;
  readonly coreWorthy: boolean;
  readonly trust: string;
  readonly scope: string;
  readonly status: string;
  /** Numbers of other waiting proposals, and ids of items, that say otherwise. */
  readonly conflictsWith: readonly number[];
  readonly denies: readonly string[];
}

export interface Review {
  readonly proposals: readonly ReviewedProposal[];
  readonly left: number;
  /** S4 §13.2's view. */
  readonly markdown: string;
}

export const agentsReview = defineVerb({
  name: 'agents review',
  summary: 'Show what sub-agents would have remembered, with what contradicts what.',
  input,
  effect: 'read',
  reach: 'filtered',
  async run(context, { from, limit }): Promise<Review> {
    await markMissedConflicts(context);
    const all = numberedProposals(context);
    const wanted = all.filter(({ proposal }) => from === undefined || isFrom(proposal, from));
    const shown = wanted.slice(0, limit);
    return {
      proposals: shown.map(describe),
      left: wanted.length - shown.length,
      markdown: renderPendingMemories(shown),
    };
  },
  cli: { options: { from: { value: 'agent' } } },
  render: async (view, output) => (await import('./render-agents.ts')).renderReview(view, output),
});

function isFrom({ actor }: Proposal, name: string): boolean {
  return actor === name || actor === `subagent:${name}`;
}

/** A process that died right after filing has not looked for what contradicts it: the next review does. */
async function markMissedConflicts(context: OperationContext): Promise<void> {
  const role = roleOf(context.actor);
  if (context.workspace.obstacle !== undefined || role === 'reader' || role === 'subagent') return;
  for (const { id } of context.proposals.list().proposals.filter(isWaiting)) await markRivals(context, id);
}

function describe(numbered: NumberedProposal): ReviewedProposal {
  const { number, proposal, against, denies } = numbered;
  const { id, actor, created, trigger, statement, title, confidence, trust, scope = 'shared' } = proposal;
  return {
    number,
    id,
    from: actor.replace(/^subagent:/u, ''),
    time: created,
    trigger: trigger ?? null,
    store: statement?.store ?? null,
    content: statement?.content ?? title,
    entities: statement?.entities ?? [],
    confidence: confidence ?? null,
    coreWorthy: statement?.isCoreWorthy ?? false,
    trust,
    scope,
    status: statusOf(numbered),
    conflictsWith: against,
    denies,
  };
}
