import { z } from 'zod';
import { MnemeError, must } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import type { Approved, Decided } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { approveProposals, CONFLICT_CHOICES, NO_REASON, stepProposals, type Committed } from './decide.ts';
import { getVisibleProposal, visibleProposals } from './find.ts';

const ids = z
  .array(z.string().trim().min(1))
  .describe('Proposals by id, its beginning, or `reflection` for the one that waits.');

export const conflictField = z
  .enum(CONFLICT_CHOICES)
  .optional()
  .describe('Where something says otherwise: take this instead, or keep both, linked and at low confidence.');

const approveInput = z.object({
  ids: ids.default([]),
  all: z.boolean().default(false).describe('Everything that waits.'),
  only: z.array(z.number().int().min(1)).min(1).optional().describe('Only these changes of it.'),
  rest: z.enum(['wait', 'reject']).optional().describe('With only: what becomes of the others.'),
  without: z.array(z.string().trim().min(2)).default([]).describe('All of it but the lines that say these words.'),
  edited: z.string().optional().describe('The proposal’s file as a person changed it; for one proposal.'),
  conflict: conflictField,
  why: z.string().optional(),
});

export type ApproveInput = z.input<typeof approveInput>;

export const approve = defineOperation({
  name: 'approve',
  summary: 'Let a proposal happen.',
  input: approveInput,
  effect: 'write',
  reach: 'filtered',
  async run(context, given): Promise<Approved[]> {
    if (given.ids.length === 0 && !given.all) {
      throw new MnemeError('usage', 'Which proposal?', {
        hint: '`mneme proposals` lists them; --all takes every one.',
      });
    }
    if (given.edited !== undefined && (given.all || given.ids.length !== 1)) {
      throw new MnemeError('usage', 'Only one proposal can be changed at a time.', { hint: 'Name one id.' });
    }
    const chosen = given.all
      ? visibleProposals(context, context.proposals.list({ state: 'pending' }).proposals)
      : given.ids.map((id) => getVisibleProposal(context, id));
    return withNotes(await approveProposals(context, chosen, given));
  },
});

/** The approved ones; the last of them says what else became of the others. */
function withNotes({ committed, rejected, left }: Committed): Approved[] {
  const notes = [
    ...rejected.map(({ id }) => `Proposal ${id}, which says otherwise, was rejected.`),
    ...left.map(({ id, reason }) => `Proposal ${id} was left: ${reason}`),
  ];
  if (notes.length === 0) return [...committed];
  const last = committed.at(-1);
  if (last !== undefined) return [...committed.slice(0, -1), { ...last, warnings: [...last.warnings, ...notes] }];
  throw new MnemeError('conflict', `Nothing was approved. ${notes.join(' ')}`, {
    hint: 'Decide on them one by one: `mneme proposals show ID`.',
  });
}

const rejectInput = z.object({
  ids: ids.min(1),
  why: z.string().default(NO_REASON).describe('For the record, and for learning.'),
});

export type RejectInput = z.input<typeof rejectInput>;

export const reject = defineOperation({
  name: 'reject',
  summary: 'Decline a proposal; the same is not proposed again.',
  input: rejectInput,
  effect: 'write',
  reach: 'filtered',
  async run(context, given): Promise<Decided[]> {
    const chosen = given.ids.map((id) => getVisibleProposal(context, id));
    return stepProposals(context, chosen, 'reject', { why: given.why });
  },
});

const stepInput = z.strictObject({
  id: z.string().trim().min(1).max(200).describe('Its id, the beginning of it, or `reflection`.'),
  why: z.string().max(4000).optional(),
});

type Step = 'rebase' | 'withdraw' | 'defer';

async function takeStep(
  context: OperationContext,
  step: Step,
  { id, why }: z.output<typeof stepInput>,
): Promise<Decided> {
  const proposal = getVisibleProposal(context, id);
  if (roleOf(context.actor) === 'subagent' && proposal.actor !== context.actor) {
    throw new MnemeError('refused', `Proposal ${proposal.id} is not by ${context.actor}.`);
  }
  const [decided] = await stepProposals(context, [proposal], step, { why });
  return must(decided, 'the decision');
}

export const rebaseProposal = defineOperation({
  name: 'proposals rebase',
  summary: 'Make a stale proposal anew from the present files.',
  input: stepInput,
  effect: 'write',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'rebase', given),
});

export const withdrawProposal = defineOperation({
  name: 'proposals withdraw',
  summary: 'Take back a proposal of your own.',
  input: stepInput,
  effect: 'propose',
  // An agent that may propose may take it back; deciding is for the machine that writes.
  withoutLease: 'proposes',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'withdraw', given),
});

export const deferProposal = defineOperation({
  name: 'proposals defer',
  summary: 'Leave it for later.',
  input: stepInput,
  effect: 'write',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'defer', given),
});
