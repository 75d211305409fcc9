import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import type { NumberedProposal } from '../../proposals/agents/pending-memories.ts';
import { itemOfProposal, SUGGESTED_STORES, type StatementOverride } from '../../proposals/agents/statement.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { Approved, Decided } from '../../proposals/request.ts';
import { isOpen } from '../../proposals/state.ts';
import type { OperationContext } from '../context.ts';
import { defineOperation } from '../operation.ts';
import { markRivals } from '../proposals/find-conflicts.ts';
import { settlePendingMemories } from './review.ts';
import { getVisibleProposal } from '../proposals/find.ts';
import { numberedProposals } from '../proposals/waiting.ts';

const ids = z.array(z.string().trim().min(1)).describe('Proposals by id, or the beginning of it.');

const commitInput = z.strictObject({
  ids: ids.default([]),
  all: z.boolean().default(false).describe('Everything that waits and contradicts nothing.'),
  conflict: z
    .enum(['instead', 'keep-both'])
    .optional()
    .describe('Where something says otherwise: take this instead, or keep both, linked and at low confidence.'),
  why: z.string().trim().min(1).optional(),
  session: z.string().optional(),
});

export type AgentsCommitInput = z.input<typeof commitInput>;

export interface Committed {
  readonly committed: readonly Approved[];
  /** What gave way to something committed here. */
  readonly rejected: readonly Decided[];
  /** What was not committed, and why. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}

export const agentsCommit = defineOperation({
  name: 'agents commit',
  summary: 'Keep what sub-agents propose.',
  input: commitInput,
  effect: 'write',
  reach: 'filtered',
  run: (context, given): Promise<Committed> => commit(context, given, {}),
});

const overrideInput = z.strictObject({
  id: z.string().trim().min(1).describe('The proposal.'),
  store: z.enum(SUGGESTED_STORES).optional().describe('Another store than the suggested one.'),
  content: z.string().trim().min(1).optional().describe('Other words.'),
  entities: z.array(z.string().trim().min(1)).max(20).optional().describe('About whom or what instead.'),
  coreWorthy: z.boolean().optional(),
  confidence: z.enum(['high', 'medium', 'low']).optional(),
  conflict: commitInput.shape.conflict,
  why: z.string().trim().min(1).optional(),
  session: z.string().optional(),
});

export type AgentsOverrideInput = z.input<typeof overrideInput>;

export const agentsOverride = defineOperation({
  name: 'agents override',
  summary: 'Keep a proposal in other words or in another store.',
  input: overrideInput,
  effect: 'write',
  reach: 'filtered',
  async run(context, { id, conflict, why, session, coreWorthy, ...override }): Promise<Committed> {
    const { content } = override;
    const clean = content === undefined ? undefined : (await context.workspace.redactor.redact(content)).text;
    const changed = { ...override, content: clean, isCoreWorthy: coreWorthy };
    if (Object.values(changed).every((value) => value === undefined)) {
      throw new MnemeError('usage', 'What should be different?', {
        hint: 'Give --store, --content, --entity, --core or --confidence; `agents commit` keeps it as it is.',
      });
    }
    return commit(context, { ids: [id], all: false, conflict, why, session }, changed);
  },
});

async function commit(
  context: OperationContext,
  given: z.output<typeof commitInput>,
  override: StatementOverride,
): Promise<Committed> {
  const numbered = numberedProposals(context);
  if (given.ids.length === 0 && !given.all) {
    throw new MnemeError('usage', 'Which proposal?', {
      hint: '`mneme agents review` lists them; --all takes every one.',
    });
  }
  const chosen = given.all ? numbered : given.ids.map((id) => findNumbered(context, numbered, id));
  const result: { committed: Approved[]; rejected: Decided[]; left: Committed['left'][number][] } = {
    committed: [],
    rejected: [],
    left: [],
  };
  try {
    for (const one of chosen) {
      const reason = given.all ? reasonToWait(one, given.conflict) : undefined;
      if (reason !== undefined) result.left.push({ id: one.proposal.id, reason });
      else await commitOne(context, one, { given, override, result });
    }
  } finally {
    await settlePendingMemories(context);
  }
  return result;
}

interface Committing {
  readonly given: Pick<z.output<typeof commitInput>, 'all' | 'conflict' | 'why' | 'session'>;
  readonly override: StatementOverride;
  readonly result: { committed: Approved[]; rejected: Decided[]; left: Committed['left'][number][] };
}

function reasonToWait(
  { against, denies, proposal }: NumberedProposal,
  conflict: string | undefined,
): string | undefined {
  if (proposal.state === 'stale') return 'the files have moved on';
  const isContested = against.length > 0 || denies.length > 0;
  return isContested && conflict === undefined ? 'something says otherwise' : undefined;
}

async function commitOne(context: OperationContext, one: NumberedProposal, committing: Committing): Promise<void> {
  const { given, override, result } = committing;
  const { actor, proposals } = context;
  // As it is now: of two that contradict each other, the first may just have been taken instead of this one, and whoever
  // filed the second may not have got to saying so.
  await markRivals(context, one.proposal.id);
  const proposal = proposals.get(one.proposal.id);
  if (given.all && !isOpen(proposal.state)) return;
  const [rivals, denies] = opponentsOf(context, proposal);
  const isContested = rivals.length > 0 || denies.length > 0;
  if (isContested && given.conflict === undefined && given.all) {
    result.left.push({ id: proposal.id, reason: 'something says otherwise' });
    return;
  }
  if (isContested && given.conflict === undefined) throw contested(proposal.id, rivals, denies);
  const isPicked = isContested && given.conflict === 'instead';
  if (isPicked && denies.length > 0 && roleOf(actor) !== 'human') {
    throw new MnemeError('refused', `${actor} may not put ${proposal.id} in the place of what is known.`, {
      hint: 'A person decides that: `mneme agents commit ID --instead`. Or keep both: --keep-both.',
    });
  }
  const linked = [...rivals.map(itemOfProposal), ...denies];
  const kept: StatementOverride = !isContested
    ? override
    : isPicked
      ? { ...override, replaces: denies }
      : { ...override, confidence: 'low', related: linked };
  const decision = { actor, why: given.why, session: given.session, override: kept };
  try {
    result.committed.push(await proposals.approve(proposal.id, decision));
  } catch (error) {
    if (!given.all || !(error instanceof MnemeError)) throw error;
    result.left.push({ id: proposal.id, reason: error.message });
    return;
  }
  if (!isPicked) return;
  for (const id of rivals) {
    result.rejected.push(await proposals.reject(id, { actor, why: given.why ?? `${proposal.id} was taken instead` }));
  }
}

/** Proposals that still say otherwise, and items that do: what was known, and what was kept of other proposals. */
function opponentsOf({ proposals }: OperationContext, { conflictsWith, statement }: Proposal): [string[], string[]] {
  const states = conflictsWith.map((id) => ({ id, state: proposals.get(id).state }));
  const open = states.filter(({ state }) => isOpen(state)).map(({ id }) => id);
  const taken = states.filter(({ state }) => state === 'applied').map(({ id }) => itemOfProposal(id));
  return [open, [...new Set([...(statement?.contradicts ?? []), ...taken])]];
}

function contested(id: string, rivals: readonly string[], denies: readonly string[]): MnemeError {
  const against = [...rivals.map((rival) => `proposal ${rival}`), ...denies.map((item) => `^${item}`)].join(', ');
  return new MnemeError('conflict', `Proposal ${id} contradicts ${against}.`, {
    hint: 'Take it instead (--instead), keep both, linked and at low confidence (--keep-both), or reject one of them.',
  });
}

/** By its id only: the numbers of a review mean others as soon as somebody else decides. */
function findNumbered(context: OperationContext, numbered: readonly NumberedProposal[], id: string): NumberedProposal {
  const proposal = getVisibleProposal(context, id);
  const waiting = numbered.find((one) => one.proposal.id === proposal.id);
  if (waiting !== undefined) return waiting;
  const hint = isOpen(proposal.state) ? 'It is no sub-agent’s: `mneme approve` decides on it.' : 'Make a new one.';
  throw new MnemeError('conflict', `Proposal ${proposal.id} is ${proposal.state}, from ${proposal.actor}.`, { hint });
}

const dismissInput = z.strictObject({
  ids: ids.min(1),
  why: z.string().trim().min(1).default('no reason given').describe('For the record, and for learning.'),
  session: z.string().optional(),
});

export type AgentsDismissInput = z.input<typeof dismissInput>;

export const agentsReject = defineOperation({
  name: 'agents reject',
  summary: 'Decline what sub-agents propose; the same is not proposed again.',
  input: dismissInput,
  effect: 'write',
  reach: 'filtered',
  run: (context, given): Promise<Decided[]> => decideEach(context, given, 'reject'),
});

export const agentsDefer = defineOperation({
  name: 'agents defer',
  summary: 'Leave what sub-agents propose for the next reflection.',
  input: dismissInput,
  effect: 'write',
  reach: 'filtered',
  run: (context, given): Promise<Decided[]> => decideEach(context, given, 'defer'),
});

async function decideEach(
  context: OperationContext,
  { ids: given, why, session }: z.output<typeof dismissInput>,
  step: 'reject' | 'defer',
): Promise<Decided[]> {
  const numbered = numberedProposals(context);
  const chosen = given.map((id) => findNumbered(context, numbered, id).proposal.id);
  const decided: Decided[] = [];
  try {
    for (const id of chosen) decided.push(await context.proposals[step](id, { actor: context.actor, why, session }));
  } finally {
    await settlePendingMemories(context);
  }
  return decided;
}
