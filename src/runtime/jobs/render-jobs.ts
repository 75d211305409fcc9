import { showSeconds } from '../../operations/command-line/amounts.ts';
import { showTime, table, type Style } from '../../operations/command-line/style.ts';
import type { View } from '../../operations/command-line/view.ts';
import type { JobInfo, JobList, RunInfo } from './job-operations.ts';
import type { JobOutcome } from './run-job.ts';

export function renderOutcome({ style }: View, { job, state, summary, notes, tookMs }: JobOutcome): string {
  const lines = [
    `${paintState(style, state)} ${job} in ${showSeconds(tookMs)}: ${summary}`,
    ...notes.map((note) => `${style.yellow('note')}  ${note}`),
  ];
  return `${lines.join('\n')}\n`;
}

export function renderList({ style, timeZone }: View, { jobs, hasDaemon }: JobList): string {
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

export function renderHistory({ style, timeZone }: View, runs: readonly RunInfo[]): string {
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
