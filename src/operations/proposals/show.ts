import { z } from 'zod';
import { PROPOSAL_STATES } from '../../model/schemas/proposal.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { ChangePreview } from '../../proposals/request.ts';
import { defineOperation } from '../operation.ts';
import { visibleTo } from '../visible-to.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { getVisibleProposal, visibleProposals } from './find.ts';

const WAITING = ['pending', 'deferred', 'stale'] as const;

export interface ProposalList {
  /** Oldest first. */
  readonly proposals: readonly Proposal[];
  /** Files among the proposals that cannot be read. */
  readonly problems: readonly string[];
}

export const listProposals = defineOperation({
  name: 'proposals list',
  summary: 'Changes that wait for a decision, or those in another state.',
  input: z.strictObject({
    state: z
      .enum([...PROPOSAL_STATES, 'all'])
      .optional()
      .describe('What waits when not given.'),
  }),
  effect: 'read',
  reach: 'filtered',
  async run(context, { state }): Promise<ProposalList> {
    const filter = state === 'all' ? {} : { state: state ?? WAITING };
    const { proposals, problems } = context.proposals.list(filter);
    return Promise.resolve({
      proposals: visibleProposals(context, proposals),
      problems: visibleTo(context).seesHome ? problems.map(({ message }) => message) : [],
    });
  },
});

export interface ShownProposal {
  readonly proposal: Proposal;
  readonly preview: readonly ChangePreview[];
  /** The proposal's file: what `approve` takes back as `edited`. */
  readonly text: string;
}

export const showProposal = defineOperation({
  name: 'proposals show',
  summary: 'What a proposal would change in the files as they are now.',
  input: z.strictObject({
    id: z.string().trim().min(1).max(200).describe('Its id, the beginning of it, or `reflection`.'),
  }),
  effect: 'read',
  reach: 'filtered',
  async run(context, { id }): Promise<ShownProposal> {
    const proposal = getVisibleProposal(context, id);
    return {
      proposal,
      preview: await context.proposals.preview(proposal.id),
      text: await readWorkspaceText(context, context.proposals.pathOf(proposal.id)),
    };
  },
});
