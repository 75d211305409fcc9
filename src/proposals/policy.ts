import type { Config } from '../model/config/schema.ts';
import { MnemeError } from '../model/errors.ts';
import { nameOfActor, roleOf, type Actor, type Role } from '../model/mutation.ts';
import { isTrustedAtLeast, lowestTrust, type Store, type Trust } from '../model/provenance.ts';
import { confidenceValue } from '../model/schemas/fields.ts';
import { type Layout, layoutOf, placeOf, sensitivityOf } from '../workspace/formats/layout.ts';
import { findObedience } from '../workspace/formats/obeyed-files.ts';
import { parseWorkspacePath } from '../workspace/safety/paths.ts';
import type { ProposedStatement } from './agents/statement.ts';
import { parseDiff } from './diff-text.ts';
import { pathsOf, type Proposal, type ProposedChange } from './proposal.ts';

/** The rules for who may decide on proposals, from mneme.yaml. */
export interface ReviewRules {
  readonly layout: Layout;
  /** Whether the main agent reviews what sub-agents propose, or only a person. */
  readonly mainReviews: boolean;
  readonly autoApproves: boolean;
  readonly autoMinConfidence: number;
  /** Names of sub-agents whose proposals may be approved by themselves. */
  readonly trustedAgents: readonly string[];
}

export function reviewRules(config: Config): ReviewRules {
  const isManual = config.agents.review === 'manual';
  return {
    layout: layoutOf(config),
    mainReviews: !isManual,
    autoApproves: config.proposals.auto_approve && !isManual,
    autoMinConfidence: AUTO_MIN_CONFIDENCE,
    trustedAgents: config.agents.trusted,
  };
}

/** `external` names whoever changed a file by other means; that is nobody who can be asked for a decision. */
function standingOf(actor: Actor): Role {
  return actor === 'external' ? 'reader' : roleOf(actor);
}

/** The least trust with which the main agent may let text become what the agent always obeys. */
/** S4: what a trusted agent is less sure of waits for a review. */
const AUTO_MIN_CONFIDENCE = 0.9;
const CORE_TRUST_FLOOR = 'agent';
const OBEYED_STORES: ReadonlySet<Store> = new Set(['core', 'topic', 'procedural']);

type ChangedPaths = Pick<ProposedChange, 'path' | 'renameTo'>;

/** An agent's word is an agent's, whatever it says about itself; anybody may claim to be less sure than that. */
export function trustOfProposer(actor: Actor, claimed: Trust): Trust {
  return standingOf(actor) === 'subagent' ? lowestTrust(['agent', claimed]) : claimed;
}

export function assertMayPropose(
  actor: Actor,
  changes: readonly Pick<ProposedChange, 'path' | 'renameTo'>[],
  rules: ReviewRules,
): void {
  if (standingOf(actor) === 'reader') throw refused(`${actor} may not propose changes.`, 'Readers only read.');
  assertMayBeProposed(changes.flatMap(pathsOf), rules);
}

/** Checked again on approval, because an edit may have pointed a change elsewhere. */
function assertMayBeProposed(paths: readonly string[], { layout }: ReviewRules): void {
  for (const path of paths) {
    const { kind } = placeOf(parseWorkspacePath(path), layout);
    if (kind === 'generated') {
      throw refused(`${path} is generated from other files.`, 'Propose a change of the files it is made from.');
    }
    if (kind === 'proposal') {
      throw refused(`${path} is a proposal itself.`, 'Approve, reject or withdraw it instead.');
    }
  }
}

/** Whether `actor` may have these changes of the proposal applied. */
export function assertMayApprove(
  proposal: Proposal,
  changes: readonly ChangedPaths[],
  actor: Actor,
  rules: ReviewRules,
): void {
  assertMayBeProposed(changes.flatMap(pathsOf), rules);
  const objection = findObjection(proposal, changes, actor, rules);
  if (objection === undefined) return;
  throw refused(
    `${actor} may not approve proposal ${proposal.id}: ${objection}.`,
    'A person approves it: `mneme approve`.',
  );
}

function findObjection(
  proposal: Proposal,
  changes: readonly ChangedPaths[],
  actor: Actor,
  rules: ReviewRules,
): string | undefined {
  const paths = changes.flatMap(pathsOf).map(parseWorkspacePath);
  const standing = standingOf(actor);
  if (standing === 'human') return undefined;
  if (actor === proposal.actor) return 'nobody approves what they proposed themselves';
  if (standing !== 'main') return `a ${standing} decides nothing`;
  // Every actor that is not a sub-agent works for the main agent: a reflection's proposal counts as the main agent's.
  if (standingOf(proposal.actor) !== 'subagent') return 'the main agent may approve only what sub-agents propose';
  if (!rules.mainReviews) return 'this home leaves the review to a person';
  return paths.map((path) => findPathObjection(path, proposal, rules)).find((found) => found !== undefined);
}

function findPathObjection(path: string, proposal: Proposal, { layout }: ReviewRules): string | undefined {
  const { store } = placeOf(path, layout);
  if (store === 'vault' || store === 'identity' || sensitivityOf(path) === 'critical') {
    return `${path} changes only with a person's approval`;
  }
  const obedience = findObedience(path);
  if (obedience !== undefined) return `${path} changes only with a person's approval: ${obedience}`;
  if (OBEYED_STORES.has(store) && !isTrustedAtLeast(proposal.trust, CORE_TRUST_FLOOR)) {
    return `text of ${proposal.trust} origin becomes part of ${path} only with a person's approval`;
  }
  return undefined;
}

export function assertMayReject(proposal: Proposal, actor: Actor): void {
  const standing = standingOf(actor);
  if (standing === 'human') return;
  if (standing === 'main' && standingOf(proposal.actor) === 'subagent') return;
  const hint = actor === proposal.actor ? 'Withdraw it instead.' : 'A person rejects it: `mneme reject`.';
  throw refused(`${actor} may not reject proposal ${proposal.id}.`, hint);
}

/** Deferring decides nothing and rebasing has to be approved again: whoever may decide on anything may do both. */
export function assertMayPostpone(proposal: Proposal, actor: Actor): void {
  const standing = standingOf(actor);
  if (standing === 'human' || standing === 'main' || actor === proposal.actor) return;
  throw refused(`${actor} may not touch proposal ${proposal.id}.`, 'Leave it to the main agent or a person.');
}

export function assertMayWithdraw(proposal: Proposal, actor: Actor): void {
  const standing = standingOf(actor);
  const isOwn = actor === proposal.actor || (standing === 'main' && standingOf(proposal.actor) === 'main');
  if ((isOwn && standing !== 'reader') || standing === 'human') return;
  throw refused(`${actor} may not withdraw proposal ${proposal.id} of ${proposal.actor}.`, 'Reject it instead.');
}

/** The actor in whose name proposals of trusted agents are approved when mneme.yaml says so. */
export const AUTO_APPROVER: Actor = 'system:auto-approve';

/** Only what adds, from a trusted agent that is sure, against nobody's objection; rewrites and deletions always wait. */
export function mayAutoApprove(proposal: Proposal, rules: ReviewRules): boolean {
  if (!rules.autoApproves || proposal.confidence === undefined || proposal.conflictsWith.length > 0) return false;
  return (
    rules.trustedAgents.includes(nameOfActor(proposal.actor)) &&
    isTrustedAtLeast(proposal.trust, 'agent') &&
    confidenceValue(proposal.confidence) >= rules.autoMinConfidence &&
    (proposal.statement === undefined ? proposal.changes.every(isAddition) : isHarmless(proposal.statement)) &&
    findObjection(proposal, proposal.changes, AUTO_APPROVER, rules) === undefined
  );
}

/** Instructions to agents, and memories that never fade, need review even when a trusted agent proposes them. */
function isHarmless({ store, isCoreWorthy, contradicts }: ProposedStatement): boolean {
  return (store === 'episodic' || store === 'semantic') && !isCoreWorthy && contradicts.length === 0;
}

function isAddition(change: ProposedChange): boolean {
  if (change.action === 'create') return true;
  if (change.action !== 'edit') return false;
  return !parseDiff(change.diff).some((hunk) => hunk.lines.some((line) => line.startsWith('-')));
}

/** The actor recorded in the history for an approval (S4 §13.7). */
export function committerOf(proposal: Proposal, approver: Actor): Actor {
  const isDelegated = standingOf(approver) === 'main' && standingOf(proposal.actor) === 'subagent';
  return isDelegated ? `bot:commit-from:${nameOfActor(proposal.actor)}` : approver;
}

export function isPerson(actor: Actor): boolean {
  return standingOf(actor) === 'human';
}

function refused(message: string, hint: string): MnemeError {
  return new MnemeError('refused', message, { hint });
}
