import { z } from 'zod';
import { withoutWords } from '../../maintain/reflect/declined.ts';
import { leaveOut } from '../../maintain/reflect/leave-out.ts';
import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import { MnemeError } from '../../model/errors.ts';
import { waitingChanges, type Proposal } from '../../proposals/proposal.ts';
import { withDiffs } from '../../proposals/render.ts';
import type { ApprovalDecision, Approved, Decided } from '../../proposals/request.ts';
import { getVisibleProposal, visibleProposals } from './find.ts';
import type { OperationContext } from '../context.ts';
import { reinforce } from '../decay/reinforce.ts';
import { defineOperation } from '../operation.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { settleReflections } from './settle-reflections.ts';
import { reflectionsOf } from '../reflect/take-survey.ts';
import { isOpen } from '../../proposals/state.ts';

const ids = z
  .array(z.string().trim().min(1))
  .describe('Proposals by id, its beginning, or `reflection` for the one that waits.');

const approveInput = z.object({
  ids: ids.default([]),
  all: z.boolean().default(false).describe('Everything that waits.'),
  only: z.array(z.number().int().min(1)).min(1).optional().describe('Only these changes of it.'),
  rest: z.enum(['wait', 'reject']).optional().describe('With only: what becomes of the others.'),
  without: z.array(z.string().trim().min(2)).default([]).describe('All of it but the lines that say these words.'),
  why: z.string().optional(),
});

export type ApproveInput = z.input<typeof approveInput>;

export const approve = defineOperation({
  name: 'approve',
  summary: 'Let a proposal happen.',
  input: approveInput,
  effect: 'write',
  run: (context, given): Promise<Approved[]> => approveProposals(context, given),
});

/** `edit` may give the proposal's file as a person changed it. */
export async function approveProposals(
  context: OperationContext,
  given: z.output<typeof approveInput>,
  edit?: (id: string) => Promise<string>,
): Promise<Approved[]> {
  const { proposals, actor } = context;
  if (given.ids.length === 0 && !given.all) {
    throw new MnemeError('usage', 'Which proposal?', { hint: '`mneme proposals` lists them; --all takes every one.' });
  }
  const chosen = given.all
    ? visibleProposals(context, proposals.list({ state: 'pending' }).proposals)
    : given.ids.map((id) => findProposal(context, id));
  const results: Approved[] = [];
  try {
    for (const { id, kind, session } of chosen) {
      const decision: ApprovalDecision = {
        actor,
        why: given.why,
        // All that a reflection did can then be taken back by its name.
        session: kind === REFLECTION_KIND ? session : undefined,
        only: given.only,
        rest: given.rest,
        edited: await edit?.(id),
      };
      const changed = given.without.length === 0 ? decision : await withoutLines(context, id, given.without, decision);
      results.push(await proposals.approve(id, changed));
      if (kind === REFLECTION_KIND) reinforce(context, 'confirmation', confirmedBy(proposals.get(id)));
    }
  } finally {
    await settleReflections(context);
  }
  return results;
}

/** What core memory now states because a person agreed: they confirmed it. */
function confirmedBy({ changes }: Proposal): string[] {
  const applied = changes.filter(({ state }) => state === 'applied').map(({ diff }) => diff);
  return [...applied.join('\n').matchAll(/^\+.*\bstates:([0-9a-z]+)/gmu)].flatMap(([, id]) => id ?? []);
}

const rejectInput = z.object({
  ids: ids.min(1),
  why: z.string().default('no reason given').describe('For the record, and for learning.'),
});

export type RejectInput = z.input<typeof rejectInput>;

export const reject = defineOperation({
  name: 'reject',
  summary: 'Decline a proposal; the same is not proposed again.',
  input: rejectInput,
  effect: 'write',
  async run(context, given): Promise<Decided[]> {
    const decided: Decided[] = [];
    try {
      for (const id of given.ids) {
        const proposal = findProposal(context, id);
        decided.push(await context.proposals.reject(proposal.id, { actor: context.actor, why: given.why }));
      }
    } finally {
      await settleReflections(context);
    }
    return decided;
  },
});

function findProposal(context: OperationContext, id: string): Proposal {
  if (id.toLowerCase() !== REFLECTION_KIND) return getVisibleProposal(context, id);
  const waiting = reflectionsOf(context).findLast(({ state }) => isOpen(state));
  if (waiting !== undefined) return waiting;
  throw new MnemeError('not-found', 'No reflection waits for a decision.', { hint: '`mneme reflect` makes one.' });
}

/** The approval in words: "all of it, but not …". What was left out is remembered as declined. */
async function withoutLines(
  context: OperationContext,
  id: string,
  words: readonly string[],
  decision: ApprovalDecision,
): Promise<ApprovalDecision> {
  const proposal = context.proposals.get(id);
  const waiting = waitingChanges(proposal).filter(({ number }) => decision.only?.includes(number) ?? true);
  const left = waiting.map((change) => leaveOut(change, words));
  if (left.every(({ lines }) => lines === 0)) {
    throw new MnemeError('not-found', `Proposal ${id} has no line that says "${words.join('" or "')}".`, {
      hint: `\`mneme proposals show ${id}\` shows what it would change.`,
    });
  }
  const only = left.filter(({ isEmpty }) => !isEmpty).map(({ change }) => change.number);
  if (only.length === 0) {
    throw new MnemeError('usage', 'Nothing would be left of it.', { hint: `\`mneme reject ${id}\` declines it.` });
  }
  const text = decision.edited ?? (await readWorkspaceText(context, context.proposals.pathOf(id)));
  const edited = withDiffs(
    text,
    left.map(({ change }) => change),
  );
  const why = [decision.why, withoutWords(words)].filter((part) => part !== undefined).join('; ');
  return { ...decision, why, only, rest: decision.only === undefined ? 'reject' : decision.rest, edited };
}
