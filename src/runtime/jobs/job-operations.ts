import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../../operations/context.ts';
import { JOBS } from './job-table.ts';
import type { Job } from './job.ts';
import { daemonLock, jobLock } from '../../workspace/home-paths.ts';
import { defineVerb } from '../../operations/verb.ts';
import { visibleTo } from '../../operations/visible-to.ts';
import { planJob, scheduleName, scheduleOf, whyOff } from './plan.ts';
import { describeRuns, JobLog, recallJob, type JobRunRecord } from './job-log.ts';
import { runJob, type JobOutcome, type RunJobOptions } from './run-job.ts';
import { showSeconds } from '../../operations/command-line/plain.ts';
import { type Style, type View, showTime, table } from '../../operations/command-line/style.ts';
import { isoTime } from '../../model/time.ts';

export interface JobInfo {
  readonly name: string;
  readonly summary: string;
  /** The cron expression; null when it is switched off. */
  readonly cron: string | null;
  readonly timeZone: string;
  /** Why it does not run by itself; null when it does. */
  readonly off: string | null;
  /** ISO; null when it does not run by itself or no daemon is there to run it. */
  readonly next: string | null;
  readonly last: RunInfo | null;
}

export interface RunInfo extends Omit<JobRunRecord, 'started' | 'scheduled'> {
  readonly started: string;
  readonly scheduled: string | null;
}

export interface JobList {
  /** Whether somebody runs them at their times. */
  readonly hasDaemon: boolean;
  readonly jobs: readonly JobInfo[];
}

export const listJobs = defineVerb({
  name: 'jobs list',
  summary: 'List the jobs: their times, and how they went.',
  input: z.object({}),
  effect: 'read',
  reach: 'shared',
  cli: { isDefault: true },
  render: renderList,
  async run(context): Promise<JobList> {
    const lines = new JobLog(context.workspace.paths.journal).read();
    const runs = describeRuns(lines, (job) => isRunning(context, job));
    const hasDaemon = ProcessLock.isHeld(daemonLock(context.workspace.paths));
    const nowMs = context.clock.now();
    const jobs: JobInfo[] = [];
    for (const job of JOBS) {
      const schedule = scheduleOf(context, job);
      const off = (await whyOff(context, job)) ?? null;
      const last = runs.find((run) => run.job === job.name);
      const memory = schedule && recallJob(lines, job.name, scheduleName(schedule));
      const plan = schedule && planJob(schedule, memory ?? { servedMs: nowMs, failures: 0 }, nowMs);
      jobs.push({
        name: job.name,
        summary: job.summary,
        cron: schedule?.cron ?? null,
        timeZone: context.config.time_zone,
        off,
        next: off === null && hasDaemon && plan?.nextMs !== undefined ? isoTime(plan.nextMs) : null,
        last: last === undefined ? null : describeRun(context, last),
      });
    }
    return { hasDaemon, jobs };
  },
});

export const jobHistory = defineVerb({
  name: 'jobs history',
  summary: 'Show what jobs did, the newest run first.',
  examples: ['mneme jobs history backup -n 5'],
  input: z.object({
    job: z.string().min(1).optional().describe('Only this job.'),
    limit: z.number().int().min(1).max(10_000).default(20).describe('How many runs.'),
  }),
  effect: 'read',
  reach: 'shared',
  cli: { args: ['job'], options: { limit: { short: 'n' } } },
  render: renderHistory,
  run(context, { job, limit }): Promise<RunInfo[]> {
    if (job !== undefined) getJob(job);
    const lines = new JobLog(context.workspace.paths.journal).read();
    const runs = describeRuns(lines, (name) => isRunning(context, name));
    const wanted = runs.filter((run) => job === undefined || run.job === job).slice(0, limit);
    return Promise.resolve(wanted.map((run) => describeRun(context, run)));
  },
});

export const runJobNow = defineVerb({
  name: 'jobs run',
  summary: 'Run a job now.',
  description: 'Run a job now. Its regular time stays as it is. Ctrl-C stops it at the next safe place.',
  examples: ['mneme jobs run backup'],
  input: z.object({ job: z.string().min(1).describe('Its name; `mneme jobs list` shows them.') }),
  args: ['job'],
  effect: 'write',
  withoutLease: 'asks',
  run: (context, { job }, controls: Partial<RunJobOptions> = {}): Promise<JobOutcome> => {
    const { signal = new AbortController().signal, onProgress } = controls;
    return runNamedJob(context, job, { signal, onProgress: (text) => onProgress?.(`${job}  ${text}`) });
  },
  http: { isLong: true },
  cli: {
    controls: ({ signal, report }) => ({ signal, onProgress: report }),
    exitCode: ({ state }) => (state === 'done' ? 'ok' : 'failure'),
  },
  render: renderOutcome,
});

/** Runs a job because somebody asked for it; its next regular run stays as it was. */
export async function runNamedJob(
  context: OperationContext,
  name: string,
  options: RunJobOptions,
): Promise<JobOutcome> {
  const job = getJob(name);
  const off = await job.whyOff?.(context);
  if (off !== undefined) {
    throw new MnemeError('refused', `${name} has nothing to do here: ${off}.`, {
      hint: '`mneme jobs list` shows which jobs are on.',
    });
  }
  const elsewhere = await (await import('../coordination/hand-over.ts')).handOverToWriter(context, job);
  return elsewhere ?? runJob(context, job, options);
}

function getJob(name: string): Job {
  const job = JOBS.find((known) => known.name === name);
  if (job !== undefined) return job;
  throw new MnemeError('not-found', `There is no job "${name}".`, {
    hint: `There are: ${JOBS.map((known) => known.name).join(', ')}.`,
  });
}

function isRunning({ workspace }: OperationContext, job: string): boolean {
  return ProcessLock.isHeld(jobLock(workspace.paths, job));
}

/** A run's message counts things of every scope. */
function describeRun(context: OperationContext, { started, scheduled, ...run }: JobRunRecord): RunInfo {
  const said = visibleTo(context).seesHome ? run : { ...run, summary: '', notes: [] };
  return { ...said, started: isoTime(started), scheduled: scheduled === null ? null : isoTime(scheduled) };
}

function renderOutcome({ style }: View, { job, state, summary, notes, tookMs }: JobOutcome): string {
  const lines = [
    `${paintState(style, state)} ${job} in ${showSeconds(tookMs)}: ${summary}`,
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

function renderList({ style, timeZone }: View, { jobs, hasDaemon }: JobList): string {
  const rows = jobs.map((job) => [
    job.off === null ? style.bold(job.name) : style.dim(job.name),
    job.cron ?? '–',
    whenNext(style, job, timeZone),
    job.last === null
      ? style.dim('never ran')
      : `${showTime(Date.parse(job.last.started), timeZone)} ${paintState(style, job.last.state)}`,
    job.off === null ? job.summary : style.dim(`off: ${job.off}`),
  ]);
  const header = ['job', `cron (${timeZone})`, 'next', 'last', ''].map((title) => style.dim(title));
  const hint = hasDaemon
    ? ''
    : `${style.yellow('note')}  No daemon runs, so nothing starts by itself: mneme daemon, or mneme daemon service install.\n`;
  return table([header, ...rows]) + hint;
}

function whenNext(style: Style, { next, off }: JobInfo, timeZone: string): string {
  if (off !== null) return style.dim('off');
  return next === null ? style.dim('–') : showTime(Date.parse(next), timeZone);
}

function renderHistory({ style, timeZone }: View, runs: readonly RunInfo[]): string {
  if (runs.length === 0) return `${style.dim('Nothing has run yet.')}\n`;
  return table(
    runs.map(({ job, started, scheduled, state, tookMs, summary }) => [
      showTime(Date.parse(started), timeZone),
      job,
      paintState(style, state),
      tookMs === null ? '' : showSeconds(tookMs),
      scheduled === null ? `${summary} ${style.dim('(by hand)')}` : summary,
    ]),
  );
}

function paintState(style: Style, state: RunInfo['state']): string {
  if (state === 'done') return style.green(state);
  return state === 'failed' ? style.red(state) : style.yellow(state);
}
