import { z } from 'zod';
import { MnemeError, must } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import type { Approved, Decided } from '../../proposals/request.ts';
import type { View } from '../command-line/style.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb, type Typed, type VerbCall } from '../verb.ts';
import { approveProposals, CONFLICT_CHOICES, NO_REASON, stepProposals, type Committed } from './decide.ts';
import { getVisibleProposal, visibleProposals } from './find.ts';
import { listProposals, showProposal } from './show.ts';

const ids = z
  .array(z.string().trim().min(1))
  .describe('Proposals by id, its beginning, or `reflection` for the one that waits.');

export const conflictField = z
  .enum(CONFLICT_CHOICES)
  .optional()
  .describe('Where something says otherwise: take this instead, or keep both, linked and at low confidence.');

/** The command line's words for `conflict`. */
export const CONFLICT_OPTIONS = {
  instead: {
    flags: '--instead',
    help: 'where something contradicts it: this counts, other proposals are rejected',
  },
  keepBoth: {
    flags: '--keep-both',
    help: 'where something contradicts it: keep both, linked and at low confidence',
  },
} as const;

export function conflictOf({
  instead,
  keepBoth,
}: Readonly<Record<string, unknown>>): (typeof CONFLICT_CHOICES)[number] | undefined {
  if (instead === true && keepBoth === true) {
    throw new MnemeError('usage', '--instead and --keep-both exclude each other.');
  }
  return instead === true ? 'instead' : keepBoth === true ? 'keep-both' : undefined;
}

const approveInput = z.object({
  ids: ids.default([]),
  all: z.boolean().default(false).describe('Everything that waits.'),
  only: z.array(z.number().int().min(1)).min(1).optional().describe('Only these changes of it, such as 1,3.'),
  rest: z.enum(['wait', 'reject']).optional().describe('With only: what becomes of the others.'),
  without: z.array(z.string().trim().min(2)).default([]).describe('All of it but the lines that say these words.'),
  edited: z.string().optional().describe('The proposal’s file as a person changed it; for one proposal.'),
  conflict: conflictField,
  why: z.string().optional().describe('For the record.'),
});

export type ApproveInput = z.input<typeof approveInput>;

export const approve = defineVerb({
  name: 'approve',
  summary: 'Let a proposal happen.',
  description:
    'Apply a proposal, or part of it. It happens as one mutation that can be undone as one. `reflection` stands for the ' +
    'one that waits.',
  examples: ['mneme approve 01J9Z', 'mneme approve reflection --only 1,3', 'mneme approve --all'],
  input: approveInput,
  args: ['ids...'],
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
  library: { args: [] },
  cli: {
    path: 'proposals approve',
    aliases: ['approve'],
    options: {
      only: { value: 'numbers' },
      rest: { value: 'what' },
      without: { value: 'words', list: 'words' },
      edited: false,
      conflict: false,
      why: { value: 'words' },
    },
    extra: { edit: { flags: '--edit', help: 'change its diffs in your editor first' }, ...CONFLICT_OPTIONS },
    prepare: ({ input, extra }) => ({ ...input, conflict: conflictOf(extra) }),
    around: ({ input, extra }, call) => (extra['edit'] === true ? approveEdited(input, call) : call.run(input)),
  },
  render: async (view, output) => (await import('./render-proposals.ts')).renderApproved(view, output),
});

const NO_EDITOR = 'Edit the proposal at a terminal, or leave out --edit to approve it as it is.';

/** One after the other, each as a person leaves it in the editor. */
async function approveEdited(
  input: Typed<typeof approveInput>['input'],
  call: VerbCall<typeof approveInput, Approved[]>,
): Promise<Approved[]> {
  const waiting = input.all === true ? (await call.verb(listProposals, { state: 'pending' })).proposals : undefined;
  const chosen = waiting?.map(({ id }) => id) ?? input.ids ?? [];
  if (chosen.length === 0) return call.run(input);
  const results: Approved[] = [];
  for (const id of chosen) {
    const { proposal, text } = await call.verb(showProposal, { id });
    const edited = await call.terminal.edit(`${proposal.id}.md`, text, NO_EDITOR);
    results.push(...(await call.run({ ...input, ids: [proposal.id], all: false, edited })));
  }
  return results;
}

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
  only: z
    .array(z.number().int().min(1))
    .min(1)
    .optional()
    .describe('Only these changes of it, such as 2; the others go on waiting.'),
  why: z.string().default(NO_REASON).describe('For the record, and for learning.'),
});

export type RejectInput = z.input<typeof rejectInput>;

export const reject = defineVerb({
  name: 'reject',
  summary: 'Decline a proposal; the same is not proposed again.',
  examples: ['mneme reject 01J9Z --why "We decided otherwise"', 'mneme reject reflection --only 2'],
  input: rejectInput,
  args: ['ids...'],
  effect: 'write',
  reach: 'filtered',
  async run(context, given): Promise<Decided[]> {
    const chosen = given.ids.map((id) => getVisibleProposal(context, id));
    return stepProposals(context, chosen, 'reject', given);
  },
  library: { args: [] },
  cli: {
    path: 'proposals reject',
    aliases: ['reject'],
    options: { only: { value: 'numbers' }, why: { value: 'words' } },
  },
  render: async (view, output) => (await import('./render-proposals.ts')).renderDecided(view, output),
});

const stepInput = z.strictObject({
  id: z.string().trim().min(1).max(200).describe('Its id, the beginning of it, or `reflection`.'),
  why: z.string().max(4000).optional().describe('For the record.'),
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

function renderStep(_view: View, { id, state }: Decided): string {
  return `${id} is now ${state}.\n`;
}

export const rebaseProposal = defineVerb({
  name: 'proposals rebase',
  summary: 'Make a stale proposal anew from the present files.',
  input: stepInput,
  args: ['id'],
  effect: 'write',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'rebase', given),
  cli: { options: { why: { value: 'words' } } },
  render: renderStep,
});

export const withdrawProposal = defineVerb({
  name: 'proposals withdraw',
  summary: 'Take back a proposal of your own.',
  input: stepInput,
  args: ['id'],
  effect: 'propose',
  // An agent that may propose may take it back; deciding is for the machine that writes.
  withoutLease: 'proposes',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'withdraw', given),
  cli: { options: { why: { value: 'words' } } },
  render: renderStep,
});

export const deferProposal = defineVerb({
  name: 'proposals defer',
  summary: 'Leave it for later.',
  input: stepInput,
  args: ['id'],
  effect: 'write',
  reach: 'filtered',
  run: (context, given) => takeStep(context, 'defer', given),
  cli: { options: { why: { value: 'words' } } },
  render: renderStep,
});
