import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import { runLater } from '../run-later.ts';
import type { RunControls } from './drive.ts';
import type { LearnInput, LearnResult } from './learn.ts';
import type { ListProceduresInput, ProcedureSummary } from './list.ts';
import type { MatchedProcedure, MatchProceduresInput } from './match.ts';
import type { RefineInput, RefineResult } from './refine.ts';
import type { ResumeInput } from './resume.ts';
import type { RunProcedureInput } from './run.ts';
import type { DueRuns, RunDueInput } from './run-due.ts';
import type { RunResult } from './run-result.ts';
import type { RunList, RunsInput } from './runs.ts';
import type { ShownProcedure } from './show.ts';
import type { StatsResult } from './stats.ts';
import type { StoppedRun } from './stop.ts';

/** Rejects when the home was closed; undefined while it is open. */
type AssertOpen = () => Promise<never> | undefined;

export type RunOptions = Omit<RunProcedureInput, 'name'> & RunControls;

/** Procedures, as the library offers them: `m.procedures.run('deploy', { input: { tag: 'v2' } })`. */
export class ProcedureVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: AssertOpen;

  constructor(context: OperationContext, assertOpen: AssertOpen) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async list(options: ListProceduresInput = {}): Promise<readonly ProcedureSummary[]> {
    await this.#assertOpen();
    return runLater(async () => (await import('./list.ts')).listProcedures, this.#context, options);
  }

  async show(name: string): Promise<ShownProcedure> {
    await this.#assertOpen();
    return runLater(async () => (await import('./show.ts')).showProcedure, this.#context, { name });
  }

  /** The procedures a message calls for, the surest first. */
  async match(
    message: string,
    options: Omit<MatchProceduresInput, 'message'> = {},
  ): Promise<readonly MatchedProcedure[]> {
    await this.#assertOpen();
    const given = { ...options, message };
    return runLater(async () => (await import('./match.ts')).findProcedures, this.#context, given);
  }

  /** Runs it as far as it goes by itself: to its end, to a question, or to where it was paused. */
  async run(name: string, { answer, onProgress, onSaid, signal, ...options }: RunOptions = {}): Promise<RunResult> {
    await this.#assertOpen();
    const { runProcedure, startProcedure } = await import('./run.ts');
    const controls = { answer, onProgress, onSaid, signal };
    const operation = { ...runProcedure, run: controlled(startProcedure, controls) };
    return runOperation(operation, this.#context, { ...options, name });
  }

  /** Goes on with a run that waits, was paused, or lost its process. */
  async resume(
    run: string,
    { onAnswer, onProgress, onSaid, signal, ...options }: Omit<ResumeInput, 'run'> & ResumeControls = {},
  ): Promise<RunResult> {
    await this.#assertOpen();
    const { goOn, resumeRun } = await import('./resume.ts');
    const operation = { ...resumeRun, run: controlled(goOn, { answer: onAnswer, onProgress, onSaid, signal }) };
    return runOperation(operation, this.#context, { ...options, run });
  }

  /** Runs those whose schedule came due since they were last run; for whoever looks every minute. */
  async runDue({ answer, onProgress, onSaid, signal, ...options }: RunDueInput & RunControls = {}): Promise<DueRuns> {
    await this.#assertOpen();
    const { runDue, runDueProcedures } = await import('./run-due.ts');
    const operation = { ...runDueProcedures, run: controlled(runDue, { answer, onProgress, onSaid, signal }) };
    return runOperation(operation, this.#context, options);
  }

  async pause(run: string): Promise<StoppedRun> {
    await this.#assertOpen();
    return runLater(async () => (await import('./stop.ts')).pauseRun, this.#context, { run });
  }

  async cancel(run: string, why = ''): Promise<StoppedRun> {
    await this.#assertOpen();
    return runLater(async () => (await import('./stop.ts')).cancelRun, this.#context, { run, why });
  }

  async runs(options: RunsInput = {}): Promise<RunList> {
    await this.#assertOpen();
    return runLater(async () => (await import('./runs.ts')).procedureRuns, this.#context, options);
  }

  async stats(name?: string): Promise<StatsResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./stats.ts')).procedureStats, this.#context, { name });
  }

  async refine(options: RefineInput = {}): Promise<RefineResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./refine.ts')).refineProcedures, this.#context, options);
  }

  async learn(options: LearnInput = {}): Promise<LearnResult> {
    await this.#assertOpen();
    return runLater(async () => (await import('./learn.ts')).learnProcedures, this.#context, options);
  }
}

/** As for a run; `answer` is what is said to the open question here, so who is asked further ones is `onAnswer`. */
interface ResumeControls extends Omit<RunControls, 'answer'> {
  readonly onAnswer?: RunControls['answer'];
}

/** An operation with what cannot stand in its schema: somebody to ask, and somebody who watches. */
function controlled<Given, Output>(
  body: (context: OperationContext, given: Given, controls: RunControls) => Promise<Output>,
  controls: RunControls,
): (context: OperationContext, given: Given) => Promise<Output> {
  return (context, given) => body(context, given, controls);
}
