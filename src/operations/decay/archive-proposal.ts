import type { Candidate } from '../../maintain/forgetting/memory.ts';
import { planArchive, type Archived, type TakenOut } from '../../memory/archive/plan-archive.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { requestedChanges } from '../forget/propose.ts';
import { targetOf } from '../forget/target.ts';
import { describeWrite } from '../write-result.ts';
import { keyOf, type Survey } from './survey.ts';
import { canBeTaken } from './trial.ts';

/** Whoever maintains proposes under this name, so that its proposals can be told from others'. */
export const DECAY_ACTOR = 'system:decay';
/** A proposal is read by a person, perhaps once a week: a week of talking leaves about so much behind. */
const MAX_PROPOSED = 150;

export interface ArchiveOutcome {
  readonly outcome: 'nothing' | 'proposed' | 'waiting' | 'archived';
  readonly proposal: string | null;
  readonly mutation: string | null;
  /** How many are in the proposal, or were archived. */
  readonly count: number;
  readonly archived: readonly Archived[];
}

const NOTHING: ArchiveOutcome = { outcome: 'nothing', proposal: null, mutation: null, count: 0, archived: [] };

/** How a proposal names a memory. */
function evidenceOf({ path, item }: TakenOut): string {
  return item === undefined ? path : `${path} ^${item}`;
}

/** What a person has said no to is not suggested again. */
export function rejectedBefore(context: OperationContext): ReadonlySet<string> {
  const { proposals } = context.proposals.list({ kind: 'archive', actor: DECAY_ACTOR });
  return new Set(proposals.filter(({ state }) => state === 'rejected').flatMap(({ evidence }) => evidence));
}

export function isRejected({ memory }: Candidate, rejected: ReadonlySet<string>): boolean {
  const item = memory.kind === 'file' ? undefined : memory.id;
  return rejected.has(evidenceOf({ path: memory.path, item }));
}

/**
 * Puts what was found up for archiving: as a proposal, or at once where `proposals.auto_archive` says so. While one is
 * open no other is made, because it would hold the same memories again.
 */
export async function archiveCandidates(
  context: OperationContext,
  survey: Survey,
  candidates: readonly Candidate[],
): Promise<ArchiveOutcome> {
  const open = await findOpen(context);
  if (open !== undefined) return { ...NOTHING, outcome: 'waiting', proposal: open.id, count: open.evidence.length };
  const chosen = await findTargets(context, survey, candidates);
  if (chosen.length === 0) return NOTHING;
  const { clock, config, layout, workspace } = context;
  const parts = { root: workspace.root, clock, timeZone: config.time_zone, layout };
  const taken = chosen.map((one) => one.taken);
  const plan = planArchive(parts, taken, 'decay');
  const what = taken.length === 1 ? 'a memory' : `${taken.length} memories`;
  if (config.proposals.auto_archive) {
    const result = await workspace.commit({
      actor: DECAY_ACTOR,
      approval: 'auto',
      trigger: 'proposals.auto_archive',
      action: 'ARCHIVE',
      summary: `archived ${what} that nobody used`,
      changes: plan.changes,
    });
    const { mutation } = describeWrite(result);
    return { ...NOTHING, outcome: 'archived', mutation, count: taken.length, archived: plan.outcome() };
  }
  const proposed = await context.proposals.propose({
    kind: 'archive',
    title: `Archive ${what} that nobody used`,
    why: whyOf(chosen.map(({ candidate }) => candidate)),
    evidence: taken.map(evidenceOf),
    actor: DECAY_ACTOR,
    trust: 'agent',
    trigger: 'decay',
    changes: await requestedChanges(context, plan.changes, taken),
  });
  const isWaiting = proposed.outcome === 'filed';
  if (!isWaiting && proposed.outcome !== 'already-open') return NOTHING;
  return { ...NOTHING, outcome: 'proposed', proposal: proposed.id, count: taken.length };
}

/** One whose files have changed since is withdrawn: its memories are looked at anew. */
async function findOpen(context: OperationContext): Promise<Proposal | undefined> {
  const { proposals } = context.proposals.list({ kind: 'archive', actor: DECAY_ACTOR });
  for (const { id } of proposals.filter(({ state }) => state === 'stale')) {
    await context.proposals.withdraw(id, { actor: DECAY_ACTOR, why: 'its files have changed since' });
  }
  return proposals.findLast(({ state }) => state === 'pending' || state === 'deferred' || state === 'approved');
}

/** Looked up once more in the files: what is protected, gone or changed there is left alone. */
async function findTargets(
  context: OperationContext,
  { passages }: Survey,
  candidates: readonly Candidate[],
): Promise<readonly { readonly candidate: Candidate; readonly taken: TakenOut }[]> {
  const found: { readonly candidate: Candidate; readonly taken: TakenOut }[] = [];
  for (const candidate of candidates) {
    if (found.length >= MAX_PROPOSED) break;
    const { memory } = candidate;
    const target = await targetOf(context, passages.get(keyOf(memory)) ?? [], memory.kind);
    if ('obstacle' in target || target.protection !== undefined) continue;
    const item = target.kind === 'file' ? undefined : target.id;
    const taken: TakenOut = { path: target.path, item, hash: target.hash };
    const before = found.map((one) => one.taken);
    if (await canBeTaken(context, before, taken)) found.push({ candidate, taken });
  }
  return found;
}

function whyOf(candidates: readonly Candidate[]): string {
  const lines = candidates.map(({ memory, reason }) => `- ${memory.text} (${memory.path}; ${reason})`);
  return [
    'They have faded, or are older than this home keeps such things at hand. They would move to `memory/archive/`,',
    'from where `mneme archive restore` brings them back; a search with `--archived` still finds them.',
    '',
    ...lines,
  ].join('\n');
}
