import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '../../platform/fs.ts';
import { RunLock } from '../../memory/procedures/workflow/run-lock.ts';
import { waitFor } from '../../platform/clock.ts';
import { statusOf, type RunState } from '../../memory/procedures/workflow/state.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import { recordEvent } from './drive.ts';
import { recordRun } from './record-run.ts';
import { getLiveRun } from './runs.ts';
import { findState } from './settle.ts';

const input = z.object({
  run: z.string().trim().min(1).describe('The run, by its id or the beginning of it.'),
  why: z.string().default('').describe('For the record.'),
});

export interface StoppedRun {
  readonly run: string;
  readonly name: string | null;
  /** `asked`: it is told, and will heed it when its present step has ended. */
  readonly outcome: 'paused' | 'cancelled' | 'asked' | 'was-over' | 'set-aside';
  readonly note: string | null;
}

export const pauseRun = defineVerb({
  name: 'procedure pause',
  summary: 'Let a run stop after its present step; resume goes on from there.',
  input,
  args: ['run'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, given): Promise<StoppedRun> => stop(context, 'pause', given),
  library: { name: 'procedures.pause' },
  cli: { options: { why: false } },
  render: async (view, output) => (await import('./render-runs.ts')).renderStopped(view, output),
});

export const cancelRun = defineVerb({
  name: 'procedure cancel',
  summary: 'End a run for good; what it did stays done.',
  input,
  args: ['run'],
  effect: 'write',
  withoutLease: 'own',
  run: (context, given): Promise<StoppedRun> => stop(context, 'cancel', given),
  library: { name: 'procedures.cancel', args: ['run', 'why'] },
  cli: { options: { why: { value: 'reason' } } },
  render: async (view, output) => (await import('./render-runs.ts')).renderStopped(view, output),
});

/** The process that drives it looks every fifth of a second. */
const WAIT_MS = 3000;
const LOOK_MS = 100;

async function stop(
  context: OperationContext,
  want: 'pause' | 'cancel',
  given: z.output<typeof input>,
): Promise<StoppedRun> {
  const workflows = await context.parts.workflows();
  const run = getLiveRun(workflows, given.run);
  const lock = RunLock.tryTake(context.workspace.paths.state, run);
  if (lock === undefined) return askDriver(context, run, want, given.why);
  try {
    const { state, problem } = findState(workflows.journal, run);
    if (state !== undefined) return await stopIdle(context, lock, state, want, given.why);
    return setAside(context, run, problem ?? 'its journal is empty');
  } finally {
    await workflows.journal.release(run);
    lock.release();
  }
}

async function stopIdle(
  context: OperationContext,
  lock: RunLock,
  state: RunState,
  want: 'pause' | 'cancel',
  why: string,
): Promise<StoppedRun> {
  const open = await context.parts.workflows();
  const { run, plan } = state;
  const about = { run, name: plan.name, note: null };
  const atMs = context.clock.now();
  const by = context.actor;
  if (want === 'pause' && state.ending === undefined) {
    if (!state.isPaused) await recordEvent(open, state, { type: 'paused', atMs, by }, run);
    return { ...about, outcome: 'paused' };
  }
  const end =
    state.ending === undefined ? await recordEvent(open, state, { type: 'cancelled', atMs, by, why }, run) : state;
  await recordRun(context, open, end);
  lock.remove(nodeFileSystem);
  return { ...about, outcome: state.ending === undefined ? 'cancelled' : 'was-over' };
}

async function askDriver(
  context: OperationContext,
  run: string,
  want: 'pause' | 'cancel',
  why: string,
): Promise<StoppedRun> {
  const { journal, executions } = await context.parts.workflows();
  const name = findState(journal, run).state?.plan.name ?? null;
  journal.leaveWish(run, { want, by: context.actor, why });
  const never = new AbortController().signal;
  for (let waitedMs = 0; waitedMs < WAIT_MS; waitedMs += LOOK_MS) {
    await waitFor(LOOK_MS, never);
    const { state } = findState(journal, run);
    const status =
      state === undefined ? executions.readAll().records.find((record) => record.run === run)?.status : statusOf(state);
    if (status === 'paused' || status === 'cancelled') return { run, name, outcome: status, note: null };
    if (status === 'succeeded' || status === 'failed') return { run, name, outcome: 'was-over', note: null };
  }
  return { run, name, outcome: 'asked', note: 'Its present step is not over yet.' };
}

/** A journal that cannot be read is kept under another name: nothing can go on from it, but a person may look. */
async function setAside(context: OperationContext, run: string, problem: string): Promise<StoppedRun> {
  const folder = path.join(context.workspace.paths.journal, 'runs');
  const kept = `${run}.damaged`;
  await nodeFileSystem.rename(path.join(folder, `${run}.jsonl`), path.join(folder, kept));
  return { run, name: null, outcome: 'set-aside', note: `${problem} It is kept as journal/runs/${kept}.` };
}
