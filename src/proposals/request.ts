import type { Actor } from '../model/mutation.ts';
import type { Trust } from '../model/provenance.ts';
import type { Confidence } from '../model/schemas/fields.ts';
import type { CommitResult } from '../workspace/door/request.ts';
import type { ProposedStatement, StatementOverride } from './agents/statement.ts';
import type { FolderProblem } from './folder.ts';
import type { Fit } from './patch.ts';
import type { ChangeAction, Proposal } from './proposal.ts';

/** One file as the proposer wants it. */
export interface RequestedChange {
  readonly path: string;
  /** undefined deletes the file, unless it is only renamed. */
  readonly after?: string | undefined;
  /** The text `after` was made from; the present file when not given. */
  readonly before?: string | undefined;
  readonly renameTo?: string | undefined;
}

export interface ProposalRequest {
  /** One word: memory, reflection, merge, refinement, archive, conflict … */
  readonly kind: string;
  readonly title: string;
  readonly why: string;
  /** The evidence: transcript turns, items, mutations. */
  readonly evidence: readonly string[];
  readonly actor: Actor;
  /** The lowest trust of the evidence. */
  readonly trust: Trust;
  readonly scope?: string | undefined;
  readonly confidence?: Confidence | undefined;
  readonly changes: readonly RequestedChange[];
  /** Several of the changes may be edits of one file, each made from the file as it is; each is decided on by itself. */
  readonly maySplit?: boolean | undefined;
  /** Instead of changes: something to be remembered. */
  readonly statement?: ProposedStatement | undefined;
  /** When it is withdrawn if nobody has decided. */
  readonly expires?: string | undefined;
  /** Proposals known to contradict this one; those that touch the same lines are found anyway. */
  readonly conflictsWith?: readonly string[] | undefined;
  readonly trigger?: string | undefined;
  readonly session?: string | undefined;
  /** Open proposals whose place it takes: withdrawn in the same mutation. */
  readonly replaces?: readonly string[] | undefined;
  /** File it although the same was rejected before. */
  readonly evenIfRejected?: boolean | undefined;
}

export interface Proposed {
  /** `already-open` and `rejected-before` name the earlier proposal; nothing was filed then. */
  readonly outcome: 'filed' | 'applied' | 'already-open' | 'rejected-before';
  readonly id: string;
  readonly path: string;
  readonly proposal: Proposal;
  /** undefined when nothing was filed. */
  readonly mutation: string | undefined;
  readonly redactions: CommitResult['redactions'];
  readonly warnings: readonly string[];
}

export interface ProposalFilter {
  readonly state?: Proposal['state'] | readonly Proposal['state'][] | undefined;
  readonly kind?: string | undefined;
  readonly actor?: Actor | undefined;
}

export interface Listing {
  /** Oldest first. */
  readonly proposals: readonly Proposal[];
  readonly problems: readonly FolderProblem[];
}

export interface Decision {
  readonly actor: Actor;
  readonly why?: string | undefined;
  readonly session?: string | undefined;
}

export interface Refusal extends Decision {
  readonly why: string;
  /** Numbers of the changes to decline; the whole proposal when not given. */
  readonly only?: readonly number[] | undefined;
}

export interface ApprovalDecision extends Decision {
  /** Numbers of the changes to apply; all of them when not given. */
  readonly only?: readonly number[] | undefined;
  /** With `only`: what becomes of the others. They wait unless told otherwise. */
  readonly rest?: 'wait' | 'reject' | undefined;
  /** The proposal's file or its body as a person changed it; its diffs count instead of those on disk. */
  readonly edited?: string | undefined;
  /** For a statement: what is made of it. */
  readonly override?: StatementOverride | undefined;
}

export interface Decided {
  readonly id: string;
  readonly state: Proposal['state'];
  /** undefined when nothing had to change. */
  readonly mutation: string | undefined;
}

export interface Approved extends Decided {
  readonly mutation: string;
  /** Numbers of the changes that were applied. */
  readonly applied: readonly number[];
  readonly files: CommitResult['files'];
  readonly redactions: CommitResult['redactions'];
  /** Where something went in differently from how it was written. */
  readonly warnings: readonly string[];
  /** For a statement: the item that says it now. */
  readonly item?: string | undefined;
}

/** The effect of one change on the present file. */
export interface ChangePreview {
  readonly number: number;
  readonly action: ChangeAction;
  readonly path: string;
  readonly renameTo?: string | undefined;
  readonly fit: Fit | 'stale';
  /** Why it does not fit. */
  readonly reason?: string | undefined;
  /** Unified, from the file as it is now; '' when stale or when no line changes. */
  readonly diff: string;
}
