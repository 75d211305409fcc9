import { z } from 'zod';
import { findCandidates } from '../../maintain/forgetting/candidates.ts';
import type { Candidate } from '../../maintain/forgetting/memory.ts';
import {
  CHECKPOINT_FILE,
  isSameUses,
  readCheckpoint,
  serializeCheckpoint,
  type Checkpoint,
} from '../../memory/decay/checkpoint.ts';
import { mergeUses } from '../../memory/decay/use-log.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { archiveCandidates, DECAY_ACTOR, isRejected, rejectedBefore, type ArchiveOutcome } from './archive-proposal.ts';
import { lookAtDue, type DueLook } from './look-at-due.ts';
import { keyOf, readCheckpointText, statusAt, surveyMemories, type Survey } from './survey.ts';
import { DAY_MS } from '../../model/time.ts';

const input = z.object({
  dryRun: z.boolean().default(false).describe('Only show what would be proposed.'),
});

export type DecayRunInput = z.input<typeof input>;

export interface FadedMemory {
  readonly id: string;
  readonly path: string;
  readonly store: string;
  readonly text: string;
  readonly status: string;
  readonly relevance: number;
  readonly reason: string;
}

export interface DecayRun {
  readonly memories: number;
  /** The number of memories whose status changed since the last run. */
  readonly transitions: number;
  /** The memories proposed for archiving now, least relevant first; in a dry run all that could be. */
  readonly candidates: readonly FadedMemory[];
  readonly outcome: ArchiveOutcome['outcome'] | 'dry-run';
  readonly proposal: string | null;
  /** The number of memories in the proposal, or archived. */
  readonly count: number;
  /** The archiving's where `proposals.auto_archive` is on. */
  readonly mutation: string | null;
  /** Whether what was used since was written down for other devices. */
  readonly isCheckpointed: boolean;
}

/** Older checkpoints are written again although nothing was used, so that fading knows how late it was. */
const CHECKPOINT_DAYS = 7;

export const runDecay = defineVerb({
  name: 'decay run',
  summary: 'Record what was used, and propose to archive what has faded.',
  description: 'Record what was used, and propose to archive what has faded; a daemon does this every night.',
  input,
  effect: 'write',
  async run(context, { dryRun }): Promise<DecayRun> {
    if (dryRun) return tellWhatWouldBe(context);
    const look = await lookAtDue(context);
    const isCheckpointed = await checkpoint(context, look.transitions, look.nowMs);
    const { outcome, proposal, count, mutation, candidates } = await archiveDue(context, look);
    const { memories, transitions } = look;
    return {
      memories,
      transitions,
      candidates: candidates.map(toShown),
      outcome,
      proposal,
      count,
      mutation,
      isCheckpointed,
    };
  },
  http: { isLong: true },
  cli: { path: 'memory decay run', formerly: ['decay run'] },
  render: async (view, run) => (await import('./render.ts')).renderDecayRun(view, run),
});

/**
 * Looks once more when a file is no longer what it was: another process changed it, or died while it did and was completed
 * only now.
 */
async function archiveDue(context: OperationContext, look: DueLook): Promise<ArchiveOutcome> {
  try {
    return await archiveCandidates(context, look);
  } catch (error) {
    if (!isMnemeError(error, 'conflict')) throw error;
    return archiveCandidates(context, await lookAtDue(context));
  }
}

/** Looks at everything, so that it can be compared with what the table of what is due leads to. */
async function tellWhatWouldBe(context: OperationContext): Promise<DecayRun> {
  const survey = await surveyMemories(context);
  return {
    memories: survey.memories.length,
    transitions: countTransitions(context, survey),
    candidates: openCandidates(context, survey).map(toShown),
    outcome: 'dry-run',
    proposal: null,
    count: 0,
    mutation: null,
    isCheckpointed: false,
  };
}

/** Without what a person wanted to keep. */
function openCandidates(context: OperationContext, { memories, nowMs }: Survey): readonly Candidate[] {
  const { decay, retention } = context.config;
  const rejected = rejectedBefore(context);
  const rules = { decay, retention };
  return findCandidates(memories, nowMs, rules).filter(({ memory }) => !isRejected(memory, rejected));
}

function toShown({ memory, reason }: Candidate): FadedMemory {
  const { id, path, store, text, status, relevance } = memory;
  return { id, path, store, text, status, relevance: Math.round(relevance * 1000) / 1000, reason };
}

function countTransitions(context: OperationContext, survey: Survey): number {
  const { updatedMs } = readCheckpoint(readCheckpointText(context));
  if (updatedMs === undefined) return 0;
  const before = statusAt(context, survey, updatedMs);
  return survey.memories.filter((memory) => (before.get(keyOf(memory)) ?? memory.status) !== memory.status).length;
}

/** The line of the history begins with the number of transitions: the audit's digests add them up. */
async function checkpoint(context: OperationContext, transitions: number, nowMs: number): Promise<boolean> {
  const { access, workspace } = context;
  await access.compact(nowMs);
  const next = access.makeCheckpoint(nowMs);
  const known = readCheckpoint(readCheckpointText(context));
  const isSame = isSameUses(next.uses, known.uses);
  const isRecent = known.updatedMs !== undefined && nowMs - known.updatedMs < CHECKPOINT_DAYS * DAY_MS;
  if (isSame && transitions === 0 && isRecent) return false;
  await workspace.commit({
    actor: DECAY_ACTOR,
    approval: 'auto',
    trigger: 'decay',
    action: 'DECAY',
    summary: `${transitions} ${transitions === 1 ? 'memory' : 'memories'} faded or came back`,
    changes: [{ path: CHECKPOINT_FILE, edit: (current) => serializeCheckpoint(withKnown(next, current)) }],
  });
  return true;
}

/** Keeps what another process or device wrote meanwhile. */
function withKnown(next: Checkpoint, current: string | undefined): Checkpoint {
  return { ...next, uses: mergeUses(readCheckpoint(current).uses, next.uses) };
}
