import type { Actor } from '../model/mutation.ts';
import { isScope, scopeFolder, type Trust } from '../model/provenance.ts';
import type { Confidence } from '../model/schemas/fields.ts';
import type { ProposalState } from '../model/schemas/proposal.ts';
import type { ProposedStatement } from './agents/statement.ts';

export const CHANGE_ACTIONS = ['create', 'edit', 'delete', 'rename'] as const;
export type ChangeAction = (typeof CHANGE_ACTIONS)[number];

export const CHANGE_STATES = ['waiting', 'applied', 'rejected'] as const;
export type ChangeState = (typeof CHANGE_STATES)[number];

/** One file's part of a proposal: what a person reads, may edit, and may approve on its own. */
export interface ProposedChange {
  /** From 1; what `only` refers to. */
  readonly number: number;
  readonly action: ChangeAction;
  readonly path: string;
  /** For a rename. */
  readonly renameTo?: string | undefined;
  /** The git blob the diff was made from; undefined for a new file. */
  readonly base?: string | undefined;
  /** Unified; '' for a rename that changes no line. */
  readonly diff: string;
  readonly state: ChangeState;
}

/** A change to the memory that waits for somebody's yes. */
export interface Proposal {
  readonly id: string;
  readonly state: ProposalState;
  /** The process that created it: memory, reflection, merge, refinement, archive, conflict … */
  readonly kind: string;
  readonly title: string;
  readonly why: string;
  readonly evidence: readonly string[];
  readonly actor: Actor;
  readonly trust: Trust;
  readonly scope?: string | undefined;
  readonly created: string;
  /** The newest mutation in history when it was made. */
  readonly base?: string | undefined;
  readonly confidence?: Confidence | undefined;
  /** When an undecided proposal is withdrawn by itself. */
  readonly expires?: string | undefined;
  readonly trigger?: string | undefined;
  readonly session?: string | undefined;
  readonly changes: readonly ProposedChange[];
  /** Instead of changes: what an agent would have remembered. */
  readonly statement?: ProposedStatement | undefined;
  readonly conflictsWith: readonly string[];
  readonly decided?: string | undefined;
  readonly decidedBy?: Actor | undefined;
  readonly reason?: string | undefined;
}

export const PROPOSALS_FOLDER = 'memory/meta/proposals';

/** A proposal of a private scope lies in that scope's folder: it quotes what it would change. */
export function proposalPath(id: string, scope: string | undefined = 'shared'): string {
  return `${isScope(scope) ? scopeFolder(scope) : ''}${PROPOSALS_FOLDER}/${id}.md`;
}

export function waitingChanges(proposal: Proposal): ProposedChange[] {
  return proposal.changes.filter((change) => change.state === 'waiting');
}

/** Every path a change touches. */
export function pathsOf(change: Pick<ProposedChange, 'path' | 'renameTo'>): string[] {
  return change.renameTo === undefined ? [change.path] : [change.path, change.renameTo];
}

/** Two pages become one: what was not weighed would be lost. */
export function isEntityMerge({ kind, trigger }: Proposal): boolean {
  return kind === 'merge' && trigger === 'graph merge';
}

/** A proposal that asks whether a fact is true. */
export const QUESTION_KIND = 'question';
