import type { Command } from 'commander';
import {
  jobHistory,
  listJobs,
  runJobNow,
  runNamedJob,
  type JobInfo,
  type JobList,
  type RunInfo,
} from '../../../runtime/jobs/job-operations.ts';
import type { JobOutcome } from '../../../runtime/jobs/run-job.ts';
import type { QueueState } from '../../../runtime/coordination/job-queue.ts';
import { jobQueue } from '../../../runtime/coordination/queue-operations.ts';
import { showSeconds } from '../../../operations/command-line/amounts.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { ProgressLine, untilInterrupted } from '../progress.ts';
import { showTime, table, type Style } from '../../../operations/command-line/style.ts';
import type { View } from '../../../operations/command-line/view.ts';
import { numberOf, show } from './show.ts';

export function addJobsCommands(program: Command, cli: Cli): void {
  const jobs = program
    .command('jobs')
    .summary('What runs by itself: list, run one now, see how it went.')
    .description(
      'Jobs run at their times while `mneme daemon` runs, one after the other. Times: `scheduler` in mneme.yaml.',
    );
  jobs
    .command('list')
    .description(listJobs.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), listJobs, {}, renderList);
    });
  jobs
    .command('run <job>')
    .description(`${runJobNow.summary} Its regular time stays as it is. Ctrl-C stops it at the next safe place.`)
    .action((job: string, _options, command: Command) => runOne(cli, job, command));
  jobs
    .command('queue')
    .description(jobQueue.summary)
    .action(async (_options, command: Command) => {
      await show(cli, command.optsWithGlobals<GlobalOptions>(), jobQueue, {}, renderQueue);
    });
  jobs
    .command('history [job]')
    .description(jobHistory.summary)
    .option('-n, --limit <count>', 'how many runs', '20')
    .action(async (job: string | undefined, _options, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { limit?: string }>();
      await show(cli, options, jobHistory, { job, limit: numberOf('--limit', options.limit) }, renderHistory);
    });
}

function renderQueue({ style }: View, states: readonly QueueState[]): string {
  const header = ['job', 'waiting', 'running', 'given up'].map((title) => style.dim(title));
  const rows = states.map(({ job, waiting, active, dead }) => [
    job,
    String(waiting),
    String(active),
    dead === 0 ? '0' : style.red(String(dead)),
  ]);
  const reasons = states.flatMap(({ job, givenUp }) =>
    givenUp.map(({ occurrence, reason }) => `${style.red('given up')} ${job} of ${occurrence}: ${plainLine(reason)}\n`),
  );
  return table([header, ...rows]) + reasons.join('');
}

async function runOne(cli: Cli, job: string, command: Command): Promise<void> {
  const options = command.optsWithGlobals<GlobalOptions>();
  const line = new ProgressLine(cli, options);
  const outcome = await cli.withMneme(
    options,
    ({ internals: context }) =>
      untilInterrupted(cli, (signal) =>
        runNamedJob(context, job, { signal, onProgress: (text) => line.show(`${job}  ${text}`) }),
      ),
    runJobNow,
  );
  line.clear();
  cli.print(options, outcome, (shown) => renderOutcome(cli.style, shown));
  if (outcome.state !== 'done') cli.exitCode = EXIT_CODES.failure;
}

function renderOutcome(style: Style, { job, state, summary, notes, tookMs }: JobOutcome): string {
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
    : `${style.yellow('note')}  No daemon runs, so nothing starts by itself: mneme daemon, or mneme service install.\n`;
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
