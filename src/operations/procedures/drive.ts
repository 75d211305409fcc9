import { MnemeError } from '../../model/errors.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { applyEvent } from '../../memory/procedures/workflow/apply.ts';
import { driveRun, type Wish } from '../../memory/procedures/workflow/drive.ts';
import { DID_NOT_STOP } from '../../memory/procedures/workflow/perform.ts';
import { waitFor } from '../../platform/clock.ts';
import { RunLock } from '../../memory/procedures/workflow/run-lock.ts';
import {
  type Answer,
  type Question,
  type RunEvent,
  type RunState,
  type StepReport,
  currentStep,
} from '../../memory/procedures/workflow/state.ts';
import type { OperationContext } from '../context.ts';
import type { Workflows } from './open-workflows.ts';
import { recordRun } from './record-run.ts';
import { describeRun, type RunResult } from './run-result.ts';

/** The grace period for an action that was told to stop. */
const GRACE_MS = 2000;

export interface RunProgress {
  readonly run: string;
  readonly name: string;
  readonly step: string;
  readonly what: string;
}

/** Controls that an interface adds to a run: a way to answer questions, to watch progress, and to stop. */
export interface RunControls {
  /** undefined leaves the question open: the run then waits. */
  readonly answer?: ((question: Question) => Promise<Answer | undefined>) | undefined;
  readonly onProgress?: ((progress: RunProgress) => void) | undefined;
  readonly onSaid?: ((text: string) => void) | undefined;
  /** Aborted: the run is paused when its present step has ended. */
  readonly signal?: AbortSignal | undefined;
}

/** Takes a run over for this process, until `release`. */
export function takeRun(context: OperationContext, run: string): RunLock {
  const lock = RunLock.tryTake(context.workspace.paths.state, run);
  if (lock !== undefined) return lock;
  throw new MnemeError('locked', `Another process is running ${run}.`, {
    hint: '`mneme procedure pause` and `cancel` reach it there.',
  });
}

/** Writes an event down and says what follows from it. */
export async function recordEvent(
  open: Workflows,
  state: RunState | undefined,
  event: RunEvent,
  run: string,
): Promise<RunState> {
  const next = applyEvent(state, event);
  await open.journal.append(run, event, state);
  return next;
}

/** Drives a run that this process has taken, as far as it goes, records it if it is over, and lets go of it. */
export function driveTaken(
  context: OperationContext,
  lock: RunLock,
  start: RunState,
  controls: RunControls = {},
): Promise<RunResult> {
  return context.parts.runs.track(start.run, () => lock.release(), driveToEnd(context, lock, start, controls));
}

async function driveToEnd(
  context: OperationContext,
  lock: RunLock,
  start: RunState,
  controls: RunControls,
): Promise<RunResult> {
  const { closing } = context.parts.runs;
  const open = await context.parts.workflows();
  const { run, plan } = start;
  open.startedBy.set(run, context);
  try {
    const end = await open.queue.run(plan.priority, (standBack) =>
      driveRun(
        {
          actions: open.actions,
          clock: context.clock,
          sleep: waitFor,
          append: (event, state) => open.journal.append(run, event, state),
          wish: () => open.journal.takeWish(run) ?? interruption([controls.signal, closing], context.actor),
          answer: controls.answer,
          standBack,
          cache: open.cache,
          onEvent: (event, state) => tell(open, controls, event, state),
          graceMs: GRACE_MS,
        },
        start,
      ),
    );
    return await finish(context, open, lock, end);
  } finally {
    open.said.delete(run);
    open.startedBy.delete(run);
    await open.journal.release(run);
    lock.release();
  }
}

async function finish(context: OperationContext, open: Workflows, lock: RunLock, end: RunState): Promise<RunResult> {
  const said = open.said.get(end.run) ?? [];
  if (end.ending === undefined) return describeRun(end, { said });
  const { mutation, warnings, redactions } = await recordRun(context, open, end);
  lock.remove(nodeFileSystem);
  const notes = [
    ...warnings,
    ...redactions.map(({ rule }) => `A secret (${rule}) was taken out of the record.`),
    ...end.reports.filter(({ error }) => error?.endsWith(DID_NOT_STOP) === true).map(describeLeftover),
  ];
  return describeRun(end, { said, mutation: mutation ?? null, notes });
}

function describeLeftover({ label }: StepReport): string {
  return `The action of step ${label} did not stop when it was told to; it may go on for as long as this process lives.`;
}

function interruption(signals: readonly (AbortSignal | undefined)[], by: string): Wish | undefined {
  return signals.some((signal) => signal?.aborted === true) ? { want: 'pause', by, why: 'interrupted' } : undefined;
}

function tell(open: Workflows, controls: RunControls, event: RunEvent, state: RunState): void {
  if (event.type === 'begun') {
    const { label, description } = currentStep(state);
    controls.onProgress?.({ run: state.run, name: state.plan.name, step: label, what: description });
  }
  if (event.type !== 'ended' || controls.onSaid === undefined) return;
  for (const text of open.said.get(state.run)?.splice(0) ?? []) controls.onSaid(text);
}
