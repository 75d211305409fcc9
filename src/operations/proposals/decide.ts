import { leaveOut, withoutWords } from '../../maintain/reflect/declined.ts';
import { REFLECTION_KIND } from '../../maintain/reflect/log.ts';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import { roleOf } from '../../model/mutation.ts';
import { itemOfProposal, type StatementOverride } from '../../proposals/agents/statement.ts';
import { type Proposal, QUESTION_KIND, waitingChanges } from '../../proposals/proposal.ts';
import { isOpen } from '../../proposals/state.ts';
import { withDiffs } from '../../proposals/render.ts';
import type { ApprovalDecision, Approved, Decided, Refusal } from '../../proposals/request.ts';
import type { OperationContext } from '../context.ts';
import { reinforce } from '../decay/reinforce.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { markRivals } from './find-conflicts.ts';
import { settlePendingMemories } from './find.ts';

export const CONFLICT_CHOICES = ['instead', 'keep-both'] as const;

/** Options for approving proposals. */
export interface ApprovalChoice extends Pick<ApprovalDecision, 'why' | 'session' | 'only' | 'rest' | 'edited'> {
  /** All of it but the lines that say these words. */
  readonly without?: readonly string[] | undefined;
  /** The choice for a sub-agent's proposal that is contradicted. */
  readonly conflict?: (typeof CONFLICT_CHOICES)[number] | undefined;
  /** For a statement: what is made of it. */
  readonly override?: StatementOverride | undefined;
  /** Everything that is pending was meant: leave what cannot be approved, with the reason, and go on. */
  readonly all?: boolean | undefined;
}

export interface Committed {
  readonly committed: readonly Approved[];
  /** Proposals that gave way to one committed here. */
  readonly rejected: readonly Decided[];
  /** Proposals that were not committed, and why. */
  readonly left: readonly { readonly id: string; readonly reason: string }[];
}

interface Outcome extends Committed {
  readonly committed: Approved[];
  readonly rejected: Decided[];
  readonly left: Committed['left'][number][];
}

/** Approves proposals one after the other, each as one mutation. Every verb that approves ends here. */
export async function approveProposals(
  context: OperationContext,
  chosen: readonly Proposal[],
  choice: ApprovalChoice,
): Promise<Committed> {
  const outcome: Outcome = { committed: [], rejected: [], left: [] };
  try {
    for (const { id } of chosen) {
      try {
        await approveOne(context, id, choice, outcome);
      } catch (error) {
        if (choice.all !== true || !isMnemeError(error)) throw error;
        outcome.left.push({ id, reason: error.message });
      }
    }
  } finally {
    await settlePendingMemories(context, chosen);
  }
  return outcome;
}

async function approveOne(
  context: OperationContext,
  id: string,
  choice: ApprovalChoice,
  outcome: Outcome,
): Promise<void> {
  const { actor, proposals } = context;
  const isOfAgent = roleOf(proposals.get(id).actor) === 'subagent';
  // Another process may just have filed a contradicting proposal without having marked it yet.
  if (isOfAgent) await markRivals(context, id);
  // Read again: of two that contradict each other, the first may just have been taken instead of this one.
  const proposal = proposals.get(id);
  if (choice.all === true && !isOpen(proposal.state)) return;
  const { override, rivals } = isOfAgent
    ? settleConflict(context, proposal, choice)
    : { override: choice.override, rivals: [] };
  assertWhole(proposal, choice.only);
  const isReflection = proposal.kind === REFLECTION_KIND;
  const { why, only, rest, edited, without = [] } = choice;
  // Records the session of the reflection, so that everything the reflection did can be undone together.
  const session = choice.session ?? (isReflection ? proposal.session : undefined);
  const decision: ApprovalDecision = { actor, why, session, only, rest, edited, override };
  const narrowed = without.length === 0 ? decision : await withoutLines(context, id, without, decision);
  outcome.committed.push(await proposals.approve(id, narrowed));
  if (isReflection) reinforce(context, 'confirmation', confirmedBy(proposals.get(id)));
  for (const rival of rivals) {
    outcome.rejected.push(await proposals.reject(rival, { actor, why: why ?? `${id} was taken instead` }));
  }
}

/** Half of a merge leaves two pages that name each other, and half of a split names a page that does not exist. */
const WHOLE_KINDS: ReadonlySet<string> = new Set(['merge', 'split']);

function assertWhole(proposal: Proposal, only: readonly number[] | undefined): void {
  if (only === undefined || !WHOLE_KINDS.has(proposal.kind)) return;
  if (waitingChanges(proposal).every(({ number }) => only.includes(number))) return;
  throw new MnemeError('usage', `Proposal ${proposal.id} is a ${proposal.kind}: it is approved whole or not at all.`, {
    hint: `mneme approve ${proposal.id}`,
  });
}

interface Settled {
  readonly override: StatementOverride | undefined;
  /** Open proposals that are rejected once this one is approved. */
  readonly rivals: readonly string[];
}

/** Settles a sub-agent's proposal that is contradicted; refuses where the reviewer has not chosen. */
function settleConflict(
  context: OperationContext,
  proposal: Proposal,
  { conflict, override }: ApprovalChoice,
): Settled {
  const { rivals, denies } = opponentsOf(context, proposal);
  if (rivals.length === 0 && denies.length === 0) return { override, rivals: [] };
  if (conflict === undefined) throw contested(proposal.id, rivals, denies);
  if (conflict === 'keep-both') {
    const related = [...rivals.map(itemOfProposal), ...denies];
    return { override: { ...override, confidence: 'low', related }, rivals: [] };
  }
  if (denies.length > 0 && roleOf(context.actor) !== 'human') {
    throw new MnemeError('refused', `${context.actor} may not put ${proposal.id} in the place of what is known.`, {
      hint: 'A person decides that: `mneme approve ID --instead`. Or keep both: --keep-both.',
    });
  }
  return { override: { ...override, replaces: denies }, rivals };
}

interface Opponents {
  /** Open proposals that say otherwise. */
  readonly rivals: readonly string[];
  /** Items that say otherwise: what was known, and what was kept of other proposals. */
  readonly denies: readonly string[];
}

function opponentsOf({ proposals }: OperationContext, { conflictsWith, statement }: Proposal): Opponents {
  const states = conflictsWith.map((id) => ({ id, state: proposals.get(id).state }));
  const taken = states.filter(({ state }) => state === 'applied').map(({ id }) => itemOfProposal(id));
  return {
    rivals: states.filter(({ state }) => isOpen(state)).map(({ id }) => id),
    denies: [...new Set([...(statement?.contradicts ?? []), ...taken])],
  };
}

function contested(id: string, rivals: readonly string[], denies: readonly string[]): MnemeError {
  const against = [...rivals.map((rival) => `proposal ${rival}`), ...denies.map((item) => `^${item}`)].join(', ');
  return new MnemeError('conflict', `Proposal ${id} contradicts ${against}.`, {
    hint: 'Take it instead (--instead), keep both, linked and at low confidence (--keep-both), or reject one of them.',
  });
}

/** Ids of the statements that core memory now repeats because a person agreed: they confirmed them. */
function confirmedBy({ changes }: Proposal): string[] {
  const applied = changes.filter(({ state }) => state === 'applied').map(({ diff }) => diff);
  return [...applied.join('\n').matchAll(/^\+.*\bstates:([0-9a-z]+)/gmu)].flatMap(([, id]) => id ?? []);
}

/** The decision without the lines that say these words. What is left out is remembered as declined. */
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
    throw new MnemeError('usage', `Without those lines nothing of proposal ${id} would be left.`, {
      hint: `\`mneme reject ${id}\` declines it.`,
    });
  }
  const text = decision.edited ?? (await readWorkspaceText(context, context.proposals.pathOf(id)));
  const edited = withDiffs(
    text,
    left.map(({ change }) => change),
  );
  const why = [decision.why, withoutWords(words)].filter((part) => part !== undefined).join('; ');
  return { ...decision, why, only, rest: decision.only === undefined ? 'reject' : decision.rest, edited };
}

/** Takes one step with each of the proposals. Every verb that decides otherwise than by approving ends here. */
export async function stepProposals(
  context: OperationContext,
  chosen: readonly Proposal[],
  step: 'reject' | 'defer' | 'withdraw' | 'rebase',
  decision: Pick<Refusal, 'only' | 'session'> & { readonly why: string | undefined },
): Promise<Decided[]> {
  const decided: Decided[] = [];
  const given = { why: decision.why, session: decision.session, actor: context.actor };
  try {
    for (const { id } of chosen) {
      if (step === 'reject') await endDenied(context, id);
      decided.push(
        step === 'reject'
          ? await context.proposals.reject(id, { ...given, why: given.why ?? NO_REASON, only: decision.only })
          : await context.proposals[step](id, given),
      );
    }
  } finally {
    // Taking back needs no lease, and a page of everybody's is not for a machine without one to write.
    if (step !== 'withdraw') await settlePendingMemories(context, chosen);
  }
  return decided;
}

/** A no to the question whether a fact is true ends it, before the question is closed: a crash in between asks again. */
async function endDenied(context: OperationContext, id: string): Promise<void> {
  const { kind, state, evidence } = context.proposals.get(id);
  if (kind !== QUESTION_KIND || !isOpen(state) || roleOf(context.actor) !== 'human') return;
  const { entities } = await context.parts.stores();
  const plans = evidence.flatMap((source) => {
    const [, path = '', item = ''] = /^(.+) \^(\S+)$/u.exec(source) ?? [];
    const record = entities.registry.findByPath(path);
    const fact = record === undefined ? undefined : entities.read(record).facts.find((each) => each.id === item);
    return record === undefined || fact === undefined || fact.isSuperseded
      ? []
      : [entities.planSupersede(record, item, {})];
  });
  if (plans.length === 0) return;
  await context.workspace.commit({
    changes: plans.flatMap(({ changes }) => changes),
    actor: context.actor,
    approval: '—',
    trigger: `proposal ${id}`,
    summary: 'the user said that it is not true',
  });
}

export const NO_REASON = 'no reason given';
