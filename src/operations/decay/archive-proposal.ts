import { hasEnded, whyArchived } from '../../maintain/forgetting/candidates.ts';
import { fadedAt } from '../../maintain/forgetting/due.ts';
import { type Candidate, type SurveyedMemory, importanceOf } from '../../maintain/forgetting/memory.ts';
import { AGES } from '../../maintain/retention/ages.ts';
import { type Archived, type TakenOut, planArchive } from '../../memory/archive/plan-archive.ts';
import type { DueRow } from '../../memory/decay/due-table.ts';
import type { Config } from '../../model/config/schema.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { Proposal } from '../../proposals/proposal.ts';
import type { OperationContext } from '../context.ts';
import { requestedChanges } from '../forget/plan-file.ts';
import { targetOf } from '../forget/target.ts';
import { readWorkspaceText } from '../workspace-files.ts';
import { describeWrite } from '../commit-or-propose.ts';
import type { DueLook } from './look-at-due.ts';
import { type DescribedMemory, describeDocument } from './survey.ts';
import { DAY_MS } from '../../model/time.ts';

/** Actor of maintenance proposals, which sets them apart from other proposals. */
export const DECAY_ACTOR = 'system:decay';
/** A proposal is read by a person, perhaps once a week: a week of talking leaves about so much behind. */
const MAX_PROPOSED = 150;

export interface ArchiveOutcome {
  readonly outcome: 'nothing' | 'proposed' | 'waiting' | 'archived';
  readonly proposal: string | null;
  readonly mutation: string | null;
  /** The number of memories in the proposal, or archived. */
  readonly count: number;
  readonly candidates: readonly Candidate[];
  readonly archived: readonly Archived[];
}

const NOTHING: ArchiveOutcome = {
  outcome: 'nothing',
  proposal: null,
  mutation: null,
  count: 0,
  candidates: [],
  archived: [],
};

/** Names a memory in a proposal. */
function evidenceOf({ path, item }: TakenOut): string {
  return item === undefined ? path : `${path} ^${item}`;
}

/** Memories a person rejected are not suggested again. */
export function rejectedBefore(context: OperationContext): ReadonlySet<string> {
  const { proposals } = context.proposals.list({ kind: 'archive', actor: DECAY_ACTOR });
  return new Set(proposals.filter(({ state }) => state === 'rejected').flatMap(({ evidence }) => evidence));
}

export function isRejected(
  { kind, id, path }: Pick<Candidate['memory'], 'kind' | 'id' | 'path'>,
  rejected: ReadonlySet<string>,
): boolean {
  return rejected.has(evidenceOf({ path, item: kind === 'file' ? undefined : id }));
}

/**
 * Puts what was found up for archiving: as a proposal, or at once where `proposals.auto_archive` says so. One that nobody
 * decided on for a week gives way to one that also holds what has come due since; there are never two.
 */
export async function archiveCandidates(context: OperationContext, look: DueLook): Promise<ArchiveOutcome> {
  const open = await findOpen(context);
  const waiting = {
    ...NOTHING,
    outcome: 'waiting',
    proposal: open?.id ?? null,
    count: open?.evidence.length ?? 0,
  } as const;
  if (open !== undefined && !mayGrow(open, look.nowMs)) return waiting;
  const chosen = await findTargets(context, look);
  const candidates = chosen.map(({ candidate }) => candidate);
  const known = new Set(open?.evidence);
  if (open !== undefined && chosen.every(({ taken }) => known.has(evidenceOf(taken)))) return waiting;
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
    return { ...NOTHING, outcome: 'archived', mutation, count: taken.length, candidates, archived: plan.outcome() };
  }
  const proposed = await context.proposals.propose({
    kind: 'archive',
    title: `Archive ${what} that nobody used`,
    why: whyOf(candidates),
    evidence: taken.map(evidenceOf),
    actor: DECAY_ACTOR,
    trust: 'agent',
    trigger: 'decay',
    changes: await requestedChanges(context, plan, taken),
    replaces: open === undefined ? [] : [open.id],
  });
  const isWaiting = proposed.outcome === 'filed';
  if (!isWaiting && proposed.outcome !== 'already-open') return NOTHING;
  return { ...NOTHING, outcome: 'proposed', proposal: proposed.id, count: taken.length, candidates };
}

const GROWS_AFTER_DAYS = 7;

/** A person may be reading what is new, and has put off or begun to apply what is not pending. */
function mayGrow({ state, created }: Proposal, nowMs: number): boolean {
  return state === 'pending' && nowMs - Date.parse(created) >= GROWS_AFTER_DAYS * DAY_MS;
}

/** One whose files have changed since is withdrawn: its memories are looked at anew. */
async function findOpen(context: OperationContext): Promise<Proposal | undefined> {
  const { proposals } = context.proposals.list({ kind: 'archive', actor: DECAY_ACTOR });
  for (const { id } of proposals.filter(({ state }) => state === 'stale')) {
    await context.proposals.withdraw(id, { actor: DECAY_ACTOR, why: 'its files have changed since' });
  }
  return proposals.findLast(({ state }) => state === 'pending' || state === 'deferred' || state === 'approved');
}

interface Chosen {
  readonly candidate: Candidate;
  readonly taken: TakenOut;
}

/** Looked up once more in the files: what is protected, gone or changed there is left alone. */
async function findTargets(context: OperationContext, look: DueLook): Promise<readonly Chosen[]> {
  const found: Chosen[] = [];
  const rows = openRows(context, look);
  const describe = createReader(context, look);
  const trial = new ArchiveTrial(context);
  for (const row of rows) {
    if (found.length >= MAX_PROPOSED) break;
    const { memory, inFile } = await describe(row);
    const reason = memory === undefined ? undefined : whyArchived(memory, look.nowMs, context.config);
    if (memory === undefined || reason === undefined) continue;
    const target = await targetOf(context, memory.members, memory.kind);
    if ('obstacle' in target || target.protection !== undefined) continue;
    if (holdsKept(target, inFile, look.nowMs, context.config)) continue;
    const item = target.kind === 'file' ? undefined : target.id;
    const taken: TakenOut = { path: target.path, item, hash: target.hash };
    if (await trial.take(taken)) found.push({ candidate: { memory, reason }, taken });
  }
  return found;
}

/** The candidates that no person has rejected, least relevant first. */
function openRows(context: OperationContext, { candidates, nowMs }: DueLook): readonly DueRow[] {
  const rejected = rejectedBefore(context);
  return candidates
    .filter((row) => !isRejected(row, rejected))
    .map((row) => ({ row, relevance: fadedAt(row, nowMs, context.config.decay).relevance }))
    .toSorted((one, other) => one.relevance - other.relevance || (one.row.id < other.row.id ? -1 : 1))
    .map(({ row }) => row);
}

interface Described {
  readonly memory: (SurveyedMemory & DescribedMemory) | undefined;
  /** All memories of the same file. */
  readonly inFile: readonly DescribedMemory[];
}

/** The memory behind a row, with its words; a document is read once. */
function createReader(context: OperationContext, { view, uses, nowMs }: DueLook): (row: DueRow) => Promise<Described> {
  const documents = new Map<string, readonly DescribedMemory[]>();
  return async ({ path, id }) => {
    const known = documents.get(path);
    const inFile = known ?? describeDocument(context, await view.readDocument({ source: 'workspace', path }), uses);
    documents.set(path, inFile);
    const memory = inFile.find((one) => one.id === id);
    const faded = memory === undefined ? undefined : fadedAt(memory, nowMs, context.config.decay);
    return { memory: memory === undefined || faded === undefined ? undefined : { ...memory, ...faded }, inFile };
  };
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

interface Taken {
  readonly id: string;
  /** First and last line, with what stands below it. */
  readonly lines: readonly [number, number];
}

/** Whether something that has to stay stands below what would be taken out: an item goes with all that hangs on it. */
export function holdsKept(
  { id, lines: [first, last] }: Taken,
  inFile: readonly DescribedMemory[],
  nowMs: number,
  config: Pick<Config, 'decay'>,
): boolean {
  return inFile.some((memory) => {
    const isInside = memory.members.some(({ startLine, endLine }) => startLine >= first && endLine <= last);
    return memory.id !== id && isInside && hasToStay(memory, nowMs, config);
  });
}

function hasToStay(memory: DescribedMemory, nowMs: number, { decay }: Pick<Config, 'decay'>): boolean {
  if (memory.isPinned) return true;
  if (!hasEnded(memory) && importanceOf(memory) >= AGES.highMin) return true;
  const isAlive = memory.type === 'task' || memory.use !== undefined;
  return isAlive && fadedAt(memory, nowMs, decay).status !== 'faint';
}

/**
 * Takes memories out of files one after the other, on trial. Where two carry the same anchor, the second is known by it
 * only once the first is gone; one such file must not keep all others from being tidied.
 */
export class ArchiveTrial {
  readonly #context: OperationContext;
  /** The remaining text of each file; undefined for a file removed as a whole. */
  readonly #rests = new Map<string, string | undefined>();

  constructor(context: OperationContext) {
    this.#context = context;
  }

  /** Whether it can go after all those before it. */
  async take(next: TakenOut): Promise<boolean> {
    const { clock, config, layout, workspace } = this.#context;
    const parts = { root: workspace.root, clock, timeZone: config.time_zone, layout };
    const [change] = planArchive(parts, [next], 'trial').changes;
    const text = this.#rests.has(next.path)
      ? this.#rests.get(next.path)
      : await readWorkspaceText(this.#context, next.path);
    try {
      if (change !== undefined && 'edit' in change) this.#rests.set(next.path, change.edit(text));
      return true;
    } catch (error) {
      if (isMnemeError(error)) return false;
      throw error;
    }
  }
}
