import path from 'node:path';
import { z } from 'zod';
import { ConsolidationProgress } from '../../maintain/consolidate/progress.ts';
import { errorMessage, isMnemeError, MnemeError } from '../../model/errors.ts';
import { JOURNAL_PERIODS, type JournalPeriod } from '../../model/schemas/time.ts';
import { addDays, localTime } from '../../model/time.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../context.ts';
import { defineVerb } from '../verb.ts';
import type { Step, StepControls, StepReport, Target } from './step.ts';

const input = z.object({
  period: z.enum(JOURNAL_PERIODS).default('day').describe('What to condense: the day, the week or the month.'),
  date: z.iso
    .date()
    .optional()
    .describe('A day of the one period to condense; all that was not condensed yet, up to yesterday, when not given.'),
  dryRun: z.boolean().default(false).describe('Show what would be done and write nothing.'),
});

export type ConsolidateInput = z.input<typeof input>;

export interface ConsolidatedStep extends StepReport {
  readonly name: string;
  /** `done-before`: nothing is new since the last run. `failed`: the notes say why; the next run tries again. */
  readonly state: 'done' | 'done-before' | 'stopped' | 'failed';
}

export interface Consolidated {
  readonly period: JournalPeriod;
  /** The last day that was looked at. */
  readonly upTo: string;
  readonly steps: readonly ConsolidatedStep[];
  readonly isDryRun: boolean;
}

const NAMES: Readonly<Record<string, 'day' | 'week' | 'month'>> = {
  day: 'day',
  daily: 'day',
  week: 'week',
  weekly: 'week',
  month: 'month',
  monthly: 'month',
};

function periodNamed(typed: string | readonly string[]): 'day' | 'week' | 'month' {
  const name = String(typed);
  const period = NAMES[name.toLowerCase()];
  if (period !== undefined) return period;
  throw new MnemeError('usage', `"${name}" is no period.`, { hint: 'Use day, week or month.' });
}

export const consolidate = defineVerb({
  name: 'consolidate',
  summary: 'Condense the day, week or month: journal, patterns, facts, graph, report.',
  description:
    'Condense what was not condensed yet, up to yesterday: the day (journal, patterns, facts, graph), the week (roll-up, procedures, report, reflection) or the month (roll-up, review). Additions are written; whatever rewrites, merges, contradicts or hides becomes a proposal. The daemon does it by itself.',
  examples: ['mneme learn consolidate week --dry-run'],
  input,
  args: ['period'],
  effect: 'write',
  run: (context, given, controls?: StepControls): Promise<Consolidated> => runConsolidation(context, given, controls),
  http: { isLong: true },
  library: { args: [] },
  cli: {
    path: 'learn consolidate',
    formerly: ['consolidate'],
    options: { date: { value: 'day' }, period: { parse: periodNamed } },
    controls: ({ signal, report }) => ({ signal, onProgress: report }),
    notes: ({ steps }) =>
      steps.some(({ state }) => state === 'stopped')
        ? ['Stopped. What was done stays; the same command goes on from there.']
        : [],
    exitCode: ({ steps }) => (steps.some(({ state }) => state === 'failed' || state === 'stopped') ? 'failure' : 'ok'),
  },
  render: async (view, output) => (await import('./render.ts')).renderConsolidated(view, output),
});

export async function runConsolidation(
  context: OperationContext,
  given: z.output<typeof input>,
  controls: StepControls = {},
): Promise<Consolidated> {
  const { paths } = context.workspace;
  const file = path.join(paths.state, 'consolidate.lock');
  const lock = ProcessLock.tryTake(file);
  if (lock === undefined) {
    throw new MnemeError('locked', 'The memory is being consolidated already.', { hint: 'Wait until that is done.' });
  }
  try {
    return await runSteps(context, given, controls);
  } finally {
    lock.release();
  }
}

async function runSteps(
  context: OperationContext,
  { period, date, dryRun }: z.output<typeof input>,
  controls: StepControls,
): Promise<Consolidated> {
  const { clock, config, workspace } = context;
  const today = localTime(clock.now(), config.time_zone).date;
  if (date !== undefined && date > today) {
    throw new MnemeError('usage', `${date} is yet to come.`, { hint: 'Give a day that has begun.' });
  }
  const last = date ?? addDays(today, -1);
  const progress = new ConsolidationProgress(nodeFileSystem, workspace.paths.journal);
  const steps: ConsolidatedStep[] = [];
  for (const step of await stepsOf(period)) {
    const key = `${period}/${step.name}`;
    const doneUpTo = date === undefined ? progress.doneUpTo(key) : undefined;
    if (controls.signal?.aborted === true) {
      steps.push({ ...stateless(step), state: 'stopped' });
      continue;
    }
    if (doneUpTo !== undefined && doneUpTo >= last) {
      steps.push({ ...stateless(step), state: 'done-before' });
      continue;
    }
    controls.onProgress?.(step.name);
    const target = { period, last, doneUpTo, only: date, isDryRun: dryRun };
    const done = await runStep(context, step, target, controls);
    // Only a run over everything says how far everything is done.
    if (done.state === 'done' && !dryRun && date === undefined) await progress.mark(key, last);
    steps.push(done);
  }
  return { period, upTo: last, steps, isDryRun: dryRun };
}

/** A step that cannot be done must not cost the others, night after night. */
async function runStep(
  context: OperationContext,
  step: Step,
  target: Target,
  { signal, onProgress }: StepControls,
): Promise<ConsolidatedStep> {
  try {
    const report = await step.run(context, target, {
      signal,
      onProgress: (text) => onProgress?.(`${step.name}: ${text}`),
    });
    return { ...report, name: step.name, state: 'done' };
  } catch (error) {
    if (signal?.aborted === true) return { ...stateless(step), state: 'stopped' };
    if (!isMnemeError(error)) throw error;
    const notes = [errorMessage(error), ...(error.hint === undefined ? [] : [error.hint])];
    return { ...stateless(step), state: 'failed', notes };
  }
}

function stateless({ name }: Step): Omit<ConsolidatedStep, 'state'> {
  return { name, summary: '', mutations: [], proposals: [], files: [], notes: [] };
}

async function stepsOf(period: JournalPeriod): Promise<readonly Step[]> {
  switch (period) {
    case 'day':
      return (await import('./daily.ts')).DAILY_STEPS;
    case 'week':
      return (await import('./weekly.ts')).WEEKLY_STEPS;
    case 'month':
      return (await import('./monthly.ts')).MONTHLY_STEPS;
  }
}
