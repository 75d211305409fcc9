import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../context.ts';
import type { WaitingConversations } from '../extract/waiting.ts';
import type { IndexSummary } from '../index-summary.ts';
import { workerLock } from '../../workspace/home-paths.ts';
import { findPause } from './pause.ts';
import { findProgress } from './progress.ts';
import { isWorkerAllowed, learnsByItself } from './background-worker.ts';

interface Amount {
  readonly conversations: number;
  readonly passages: number;
}

/** Learning and embedding that nobody waits for. */
export interface BackgroundStatus {
  /** `stopped`: something is left and no process does it; the next command or hook starts one. */
  readonly state: 'working' | 'waiting' | 'paused' | 'stopped' | 'idle';
  /** Why it waits, is paused or stopped; null otherwise. */
  readonly reason: string | null;
  /** The process that does it; null when none does. */
  readonly pid: number | null;
  /** When a pause ends; null when there is none, or none is set. */
  readonly pausedUntil: string | null;
  /** By that process, or the last one. */
  readonly done: Amount;
  readonly left: Amount;
  /** As of late; null while nothing was done. */
  readonly perMinute: { readonly conversations: number | null; readonly passages: number | null };
  /** The estimated time for the rest at that rate; null where it is not known. */
  readonly secondsLeft: number | null;
  readonly lastProblem: { readonly time: string; readonly message: string; readonly hint: string | null } | null;
}

export async function describeBackground(
  context: OperationContext,
  waiting: WaitingConversations,
  index: IndexSummary,
): Promise<BackgroundStatus> {
  const { state: folder } = context.workspace.paths;
  const progress = findProgress(folder);
  const isHeld = ProcessLock.isHeld(workerLock({ state: folder }));
  const left = {
    conversations: learnsByItself(context) ? waiting.own + (context.config.extract.imports ? waiting.imported : 0) : 0,
    passages: await countLacking(context, index, progress?.models ?? []),
  };
  const eachMs = progress?.eachMs ?? { conversation: null, passage: null };
  return {
    ...stateOf(context, isHeld, left),
    pid: isHeld ? (progress?.pid ?? null) : null,
    done: progress?.done ?? { conversations: 0, passages: 0 },
    left,
    perMinute: { conversations: perMinute(eachMs.conversation), passages: perMinute(eachMs.passage) },
    secondsLeft: estimate(left, eachMs),
    lastProblem: progress?.lastProblem ?? null,
  };
}

function stateOf(
  { workspace, clock, config }: OperationContext,
  isHeld: boolean,
  left: Amount,
): Pick<BackgroundStatus, 'state' | 'reason' | 'pausedUntil'> {
  const pause = findPause(workspace.paths.journal, clock);
  if (pause !== undefined) {
    const reason = pause.until === null ? 'until `mneme daemon resume`' : `until ${pause.until}`;
    return { state: 'paused', reason, pausedUntil: pause.until };
  }
  const progress = findProgress(workspace.paths.state);
  if (isHeld && progress?.state === 'waiting') return { state: 'waiting', reason: progress.reason, pausedUntil: null };
  if (isHeld) return { state: 'working', reason: null, pausedUntil: null };
  if (left.conversations + left.passages === 0) return { state: 'idle', reason: null, pausedUntil: null };
  const reason = isWorkerAllowed(config)
    ? 'the next command that writes, or hook, goes on with it'
    : 'no worker is started here: `mneme learn extract` and `mneme index sync` do it';
  return { state: 'stopped', reason, pausedUntil: null };
}

/** Without opening a model that takes time to open: then what the last worker wanted counts. */
async function countLacking(
  { homeIndex, config }: OperationContext,
  { passages, models }: IndexSummary,
  lastWanted: readonly string[],
): Promise<number> {
  const opensAtOnce = ['none', 'static', 'builtin'].includes(config.embedding.provider);
  const wanted = opensAtOnce ? (await homeIndex.models()).map(({ embedder }) => embedder.id) : lastWanted;
  const lacking = wanted.map((id) => {
    const coverage = models.find(({ model }) => model === id)?.coverage ?? 0;
    return Math.round(passages * (1 - coverage));
  });
  return Math.max(0, ...lacking);
}

function perMinute(eachMs: number | null): number | null {
  return eachMs === null || eachMs === 0 ? null : Math.round(600_000 / eachMs) / 10;
}

function estimate(left: Amount, eachMs: { conversation: number | null; passage: number | null }): number | null {
  const parts = [
    [left.conversations, eachMs.conversation],
    [left.passages, eachMs.passage],
  ] as const;
  if (parts.some(([count, each]) => count > 0 && each === null)) return null;
  return Math.round(parts.reduce((sum, [count, each]) => sum + count * (each ?? 0), 0) / 1000);
}
