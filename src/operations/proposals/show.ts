import { z } from 'zod';
import { PROPOSAL_STATES } from '../../model/schemas/proposal.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { ChangePreview } from '../../proposals/request.ts';
import { defineVerb } from '../verb.ts';
import { visibleTo } from '../visible-to.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { asSeen, getVisibleProposal, visibleProposals } from './find.ts';

const WAITING = ['pending', 'deferred', 'stale'] as const;

export interface ProposalList {
  /** Oldest first. */
  readonly proposals: readonly Proposal[];
  /** Files among the proposals that cannot be read. */
  readonly problems: readonly string[];
}

export const listProposals = defineVerb({
  name: 'proposals list',
  summary: 'List the changes that wait for a decision, or those in another state.',
  examples: ['mneme proposals', 'mneme proposals list --state rejected'],
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
      proposals: visibleProposals(context, proposals).map((proposal) => asSeen(context, proposal)),
      problems: visibleTo(context).seesHome ? problems.map(({ message }) => message) : [],
    });
  },
  cli: {
    isDefault: true,
    options: { state: { value: 'state' } },
    json: ({ proposals }) => proposals,
    notes: ({ problems }) => problems,
  },
  render: async (view, { proposals }) => (await import('./render-proposals.ts')).renderProposals(view, proposals),
});

export interface ShownProposal {
  readonly proposal: Proposal;
  readonly preview: readonly ChangePreview[];
  /** The proposal's file: what `approve` takes back as `edited`. */
  readonly text: string;
}

export const showProposal = defineVerb({
  name: 'proposals show',
  summary: 'Show what a proposal would change in the files as they are now.',
  input: z.strictObject({
    id: z.string().trim().min(1).max(200).describe('Its id, the beginning of it, or `reflection`.'),
  }),
  args: ['id'],
  effect: 'read',
  reach: 'filtered',
  async run(context, { id }): Promise<ShownProposal> {
    const proposal = getVisibleProposal(context, id);
    const shown = asSeen(context, proposal);
    const hidden = proposal.conflictsWith.filter((one) => !shown.conflictsWith.includes(one));
    const text = await readWorkspaceText(context, context.proposals.pathOf(proposal.id));
    return {
      proposal: shown,
      preview: await context.proposals.preview(proposal.id),
      text: hidden.reduce((whole, one) => whole.replaceAll(one, ''), text),
    };
  },
  cli: { json: ({ proposal, preview }) => ({ proposal, preview }) },
  render: async (view, output) => (await import('./render-proposals.ts')).renderProposal(view, output),
});
