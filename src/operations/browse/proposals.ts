import { z } from 'zod';
import { roleOf } from '../../model/mutation.ts';
import { TRUST_LEVELS } from '../../model/provenance.ts';
import { MnemeError } from '../../model/errors.ts';
import { PROPOSAL_STATES } from '../../model/schemas/proposal.ts';
import { proposalPath, type Proposal } from '../../proposals/proposal.ts';
import type { ChangePreview, Decided, Proposed } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { approve, approveProposals } from '../proposals/approve.ts';
import { seesFile, visibleTo } from '../visible-to.ts';
import { readWorkspaceText, toWorkspacePath } from '../workspace-files.ts';

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
    return {
      proposals: proposals.filter((proposal) => isVisible(context, proposal)),
      problems: visibleTo(context).seesHome ? problems.map(({ message }) => message) : [],
    };
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
  input: z.strictObject({ id: z.string().trim().min(1).max(200) }),
  effect: 'read',
  reach: 'filtered',
  async run(context, { id }): Promise<ShownProposal> {
    const proposal = getVisible(context, id);
    return {
      proposal,
      preview: await context.proposals.preview(proposal.id),
      text: await readWorkspaceText(context, proposalPath(proposal.id)),
    };
  },
});

export const addProposal = defineOperation({
  name: 'proposals add',
  summary: 'Propose a new content for a file, or to delete it.',
  input: z.strictObject({
    path: z.string().min(1).max(1000),
    after: z.string().nullable().describe('The whole new text; null to delete the file.'),
    title: z.string().trim().min(1).max(200).describe('What it is about.'),
    why: z.string().max(4000).default(''),
    evidence: z.array(z.string().max(400)).max(50).default([]),
    kind: z
      .string()
      .regex(/^[a-z][a-z-]{0,30}$/u, 'is one word in small letters')
      .default('memory'),
    confidence: z.enum(['high', 'medium', 'low']).optional(),
    trust: z.enum(TRUST_LEVELS).optional().describe('Where it comes from; never more than whoever asks.'),
  }),
  effect: 'propose',
  withoutLease: 'proposes',
  reach: 'filtered',
  async run(context, { path, after, trust, ...request }): Promise<Proposed> {
    const { actor } = context;
    const file = toWorkspacePath(context, path);
    if (!seesFile(context, file)) throw new MnemeError('not-found', `There is no ${file} in the workspace.`);
    const isPerson = roleOf(actor) === 'human';
    const own = trust === 'user' && !isPerson ? 'agent' : trust;
    return context.proposals.propose({
      ...request,
      actor,
      trust: own ?? (isPerson ? 'user' : 'agent'),
      changes: [{ path: file, after: after ?? undefined }],
    });
  },
});

const stepInput = z.strictObject({
  id: z.string().trim().min(1).max(200),
  why: z.string().max(4000).optional(),
});

function defineStep(name: 'rebase' | 'withdraw' | 'defer', summary: string, effect: 'propose' | 'write') {
  return defineOperation({
    name: `proposals ${name}`,
    summary,
    input: stepInput,
    effect,
    // Whoever may propose may take it back; deciding is for the machine that writes.
    withoutLease: name === 'withdraw' ? 'proposes' : undefined,
    reach: 'filtered',
    async run(context, { id, why }): Promise<Decided> {
      const proposal = getVisible(context, id);
      if (roleOf(context.actor) === 'subagent' && proposal.actor !== context.actor) {
        throw new MnemeError('refused', `Proposal ${proposal.id} is not by ${context.actor}.`);
      }
      return context.proposals[name](proposal.id, { actor: context.actor, why });
    },
  });
}

export const rebaseProposal = defineStep('rebase', 'Make a stale proposal anew from the present files.', 'write');
export const withdrawProposal = defineStep('withdraw', 'Take back a proposal of your own.', 'propose');
export const deferProposal = defineStep('defer', 'Leave it for later.', 'write');

/** `approve` for whoever shows a proposal in an editor of their own. */
export const approveEdited = defineOperation({
  ...approve,
  input: approve.input.extend({
    edited: z.string().optional().describe('The proposal’s file as a person changed it; for one proposal.'),
  }),
  run(context, { edited, ...given }) {
    if (edited !== undefined && (given.all || given.ids.length !== 1)) {
      throw new MnemeError('usage', 'Only one proposal can be changed at a time.', { hint: 'Name one id.' });
    }
    return approveProposals(context, given, edited === undefined ? undefined : async () => edited);
  },
});

function getVisible(context: OperationContext, id: string): Proposal {
  const proposal = context.proposals.get(id);
  if (isVisible(context, proposal)) return proposal;
  throw new MnemeError('not-found', `There is no proposal ${id}.`);
}

/** Sub-agents see their own. */
function isVisible(context: OperationContext, { scope, actor }: Proposal): boolean {
  const visible = visibleTo(context);
  if (visible.seesHome) return true;
  return actor === context.actor && visible.sees((scope ?? 'shared') as Parameters<typeof visible.sees>[0]);
}
