import type { Json } from '../../memory/procedures/expression/evaluate.ts';
import type { ExecutionRecord } from '../../memory/procedures/executions/record.ts';
import {
  type Question,
  type RunState,
  type RunStatus,
  type StepReport,
  answerNames,
  statusOf,
} from '../../memory/procedures/workflow/state.ts';
import type { Decision } from '../../memory/procedures/decision/decide.ts';

/** A run as whoever started it sees it, when it has ended or cannot go on by itself. */
export interface RunResult {
  readonly run: string;
  readonly path: string;
  readonly name: string;
  readonly version: string;
  /** `interrupted`: nobody drives it any more, because the process that did has died. */
  readonly status: RunStatus | 'interrupted';
  readonly started: string;
  readonly ms: number;
  readonly steps: readonly RunStep[];
  /** The output of the `say` steps. */
  readonly said: readonly string[];
  /** The question it waits for; null when it does not. */
  readonly question: Question | null;
  readonly error: string | null;
  /** Conditions in plain words that were taken for met. */
  readonly assumed: readonly string[];
  /** Names of values that have to be given again, because they were not kept. */
  readonly withheld: readonly string[];
  /** The answers of the steps, by the names later steps use. */
  readonly answers: Readonly<Record<string, Json>>;
  /** For a decision tree. */
  readonly decision: Decision | null;
  /** The change that recorded it; null while it is going on. */
  readonly mutation: string | null;
  readonly notes: readonly string[];
}

export interface RunStep {
  readonly step: string;
  readonly what: string;
  readonly outcome: StepReport['outcome'];
  readonly attempts: number;
  readonly ms: number;
  readonly error: string | null;
}

export function describeRun(
  state: RunState,
  more: Partial<Pick<RunResult, 'said' | 'mutation' | 'notes'>> & { readonly isDriven?: boolean } = {},
): RunResult {
  const { run, plan, startedMs, lastMs, question, failure, assumed, withheld, reports } = state;
  const status = statusOf(state);
  const { said = [], mutation = null, notes = [], isDriven = true } = more;
  return {
    run,
    path: plan.path,
    name: plan.name,
    version: plan.version,
    status: status === 'running' && !isDriven ? 'interrupted' : status,
    started: new Date(startedMs).toISOString(),
    ms: lastMs - startedMs,
    steps: reports.map(describeStep),
    said,
    question: question ?? null,
    error: failure ?? null,
    assumed,
    withheld,
    answers: answersOf(state),
    decision: null,
    mutation,
    notes,
  };
}

function describeStep({ label, description, outcome, attempts, startedMs, endedMs, error, note }: StepReport): RunStep {
  return { step: label, what: description, outcome, attempts, ms: endedMs - startedMs, error: error ?? note ?? null };
}

function answersOf({ plan, variables }: RunState): Record<string, Json> {
  const answers: Record<string, Json> = {};
  for (const step of plan.steps) {
    for (const name of answerNames(step)) {
      if (name !== 'last' && Object.hasOwn(variables, name)) answers[name] = variables[name] ?? null;
    }
  }
  return answers;
}

/** A run that is over, from its record. */
export function describeRecord(record: ExecutionRecord): RunResult {
  const { run, path, name, version, status, started, ms, error, assumed = [], steps } = record;
  return {
    run,
    path,
    name,
    version,
    status,
    started,
    ms,
    steps: steps.map(describeDone),
    said: [],
    question: null,
    error: error ?? null,
    assumed,
    withheld: [],
    answers: {},
    decision: null,
    mutation: null,
    notes: [],
  };
}

function describeDone({ step, what, outcome, attempts, ms, error }: ExecutionRecord['steps'][number]): RunStep {
  return { step, what, outcome, attempts, ms, error: error ?? null };
}
