import { createHash } from 'node:crypto';
import { newItemId } from '../../model/ids.ts';
import type { Store } from '../../model/provenance.ts';
import type { Confidence } from '../../model/schemas/fields.ts';
import type { Change } from '../../workspace/door/request.ts';
import type { Proposal } from '../proposal.ts';
import { isOpen } from '../state.ts';

/** Where an agent's memory may be suggested to go (S4 §13.2). */
export const SUGGESTED_STORES = [
  'episodic',
  'semantic',
  'procedural',
  'vault',
  'core',
] as const satisfies readonly Store[];
export type SuggestedStore = (typeof SUGGESTED_STORES)[number];

/**
 * A memory proposed by an agent, in the agent's words. Unlike a diff it is made into changes only on approval, so
 * that a thousand of them can wait for the same file.
 */
export interface ProposedStatement {
  readonly content: string;
  readonly store: SuggestedStore;
  /** Whom or what it is about, such as person--alex; the first one's file takes it. */
  readonly entities: readonly string[];
  readonly isCoreWorthy: boolean;
  /** The property it states, where that has one value at a time. */
  readonly subject?: string | undefined;
  readonly attribute?: string | undefined;
  readonly value?: string | undefined;
  /** Ids of what the memory holds that it contradicts. */
  readonly contradicts: readonly string[];
}

/** Changes that the approver makes to a statement. */
export interface StatementOverride {
  readonly content?: string | undefined;
  readonly store?: SuggestedStore | undefined;
  readonly entities?: readonly string[] | undefined;
  readonly isCoreWorthy?: boolean | undefined;
  readonly confidence?: Confidence | undefined;
  /** Ids of items it stands beside although they contradict it. */
  readonly related?: readonly string[] | undefined;
  /** Ids of facts that no longer hold because of it. */
  readonly replaces?: readonly string[] | undefined;
}

export interface PlannedStatement {
  readonly changes: readonly Change[];
  /** The item that will say it. */
  readonly id: string;
  readonly notes: readonly string[];
}

/** Makes changes of a statement; given by whoever knows the stores. */
export type StatementPlanner = (proposal: Proposal, override: StatementOverride) => Promise<PlannedStatement>;

/** The item a statement becomes: the same however often it is tried, and known before, so that others can name it. */
export function itemOfProposal(proposal: string): string {
  const hash = createHash('sha256').update(`proposal ${proposal}`).digest();
  return newItemId((length) => hash.subarray(0, length));
}

function meaning({ content, store }: ProposedStatement): string {
  return `${store} ${content
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s.!,;:]+/gu, ' ')
    .trim()}`;
}

/** A proposal that says the same: still open, or the newest that was rejected. */
export function findStatementTwin(
  proposals: readonly Proposal[],
  wanted: ProposedStatement,
  scope: string | undefined,
): { readonly open: Proposal | undefined; readonly rejected: Proposal | undefined } {
  const text = meaning(wanted);
  const same = proposals.filter(
    ({ statement, scope: own }) =>
      statement !== undefined && (own ?? 'shared') === (scope ?? 'shared') && meaning(statement) === text,
  );
  return {
    open: same.find(({ state }) => isOpen(state)),
    rejected: same.findLast(({ state }) => state === 'rejected'),
  };
}

/**
 * Whether two statements differ in one place only. "Service 12 listens on port 1012" and "Service 13 listens on port 1013" have
 * another value each because they speak of two services; one statement with another value differs once.
 */
export function confidentlyDiffer(one: string, other: string): boolean {
  const [left, right] = [words(one), words(other)];
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  const most = Math.min(left.length, right.length) - start;
  while (end < most && left[left.length - 1 - end] === right[right.length - 1 - end]) end += 1;
  const ours = left.slice(start, left.length - end);
  const theirs = right.slice(start, right.length - end);
  const isNegated = ours.length === 0 || theirs.length === 0;
  return isNegated || !ours.some((word) => theirs.includes(word));
}

function words(text: string): string[] {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+(?:['’.:,/-][\p{L}\p{N}]+)*/gu) ?? []
  );
}
