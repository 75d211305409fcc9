import path from 'node:path';
import type { Mneme } from '../../../mneme.ts';
import { isMnemeError } from '../../../model/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { JOBS } from '../../../runtime/jobs/job-table.ts';
import { assertHistoryExists } from '../../../operations/history/missing.ts';
import { assertMayWrite } from '../../../operations/operation.ts';
import { runDaemon, type DaemonHome } from '../../../runtime/daemon/daemon.ts';
import { type DaemonStatus, type LogLine, readDaemonStatus, stopDaemon } from '../../../runtime/daemon/daemon-log.ts';
import { readHome } from '../../../workspace/home.ts';
import { EXIT_CODES, type Cli, type GlobalOptions } from '../cli.ts';
import { plainLine } from '../../../operations/command-line/plain.ts';
import { table } from '../../../operations/command-line/style.ts';
import { readVersion } from '../version.ts';
import type { DaemonOptions } from './serve-options.ts';
import type { ServedHome } from './serve-home.ts';

/** Jobs write in their own name: they run without a request. */
const DAEMON_ACTOR = 'system:daemon';

export async function startDaemon(cli: Cli, options: DaemonOptions): Promise<void> {
  const home = path.resolve(cli.home(options));
  assertMayWrite(cli.actor(options), 'daemon');
  await assertHistoryExists(home);
  const stop = new AbortController();
  const releaseInterrupt = cli.io.onInterrupt(() => stop.abort());
  const onTerminate = (): void => stop.abort();
  process.on('SIGTERM', onTerminate);
  try {
    const { isClean } = await runDaemon(
      {
        home,
        open: (onProblem) => openHome(cli, options, onProblem),
        jobs: JOBS,
        clock: systemClock,
        version: readVersion(),
        onLine: (line) => echo(cli, options, line),
      },
      stop.signal,
    );
    // Unfinished work would keep the process alive, and the caller that stops it does not wait for ever.
    if (!isClean) process.exit(EXIT_CODES.failure);
  } finally {
    releaseInterrupt();
    process.off('SIGTERM', onTerminate);
  }
}

async function openHome(cli: Cli, options: DaemonOptions, onProblem: (message: string) => void): Promise<DaemonHome> {
  const home = path.resolve(cli.home(options));
  const { Mneme } = await import('../../../mneme.ts');
  const settings = await readHome(home);
  const mneme = await Mneme.open({
    home,
    settings,
    actor: DAEMON_ACTOR,
    watch: true,
    background: 'here',
    onProblem,
  });
  const served =
    options.serve === true || settings.config.daemon.serve
      ? await serveBeside(cli, options, mneme, onProblem)
      : undefined;
  const close = async (): Promise<void> => {
    await served?.close();
    await mneme.close();
  };
  return { context: mneme.internals, close };
}

/** The daemon's own home, over HTTP. A port that is taken keeps nobody from running the jobs, and is said. */
async function serveBeside(
  cli: Cli,
  options: DaemonOptions,
  mneme: Mneme,
  onProblem: (message: string) => void,
): Promise<ServedHome | undefined> {
  const { startServing } = await import('./serve-home.ts');
  try {
    const served = await startServing(cli, options, { mneme, onProblem });
    const { url } = served.serving;
    const line =
      options.json === true
        ? JSON.stringify({ event: 'serving', url })
        : `Mneme serves ${mneme.internals.home} at ${url}`;
    cli.io.err(`${line}\n`);
    if (!served.hasLastingTokens)
      onProblem('Nobody has a token for the API yet: mneme serve tokens add NAME --role ROLE.');
    return served;
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    onProblem(`The API is not served: ${error.message} ${error.hint ?? ''}`.trim());
    return undefined;
  }
}

/** For whoever looks on: a service manager's log, or a person. */
function echo(cli: Cli, options: GlobalOptions, line: LogLine): void {
  if (options.json === true) {
    cli.io.err(`${JSON.stringify(line)}\n`);
    return;
  }
  const { style } = cli;
  const mark =
    line.level === 'error' ? style.red('error') : line.level === 'warn' ? style.yellow('note ') : style.dim('·    ');
  cli.io.err(`${style.dim(line.time.slice(11, 19))} ${mark} ${plainLine(line.message)}\n`);
}

export function showDaemon(cli: Cli, options: GlobalOptions): void {
  const status = readDaemonStatus(path.resolve(cli.home(options)), systemClock);
  cli.print(options, status, (shown) => renderStatus(cli, shown));
  if (!status.isRunning) cli.exitCode = EXIT_CODES['not-found'];
}

function renderStatus({ style }: Cli, { isRunning, pid, isResponsive, heartbeat, home }: DaemonStatus): string {
  if (!isRunning)
    return `${style.yellow('No daemon runs')} on ${home}.\n${style.dim('Start one: mneme daemon, or mneme daemon service install.')}\n`;
  const state = isResponsive === true ? style.green('running') : style.red('running, but gives no sign of life');
  if (heartbeat === null) return table([['daemon', `${state} (process ${pid ?? 'unknown'}), just starting`]]);
  const { started, beat, job, progress, metrics, lastProblem, version } = heartbeat;
  return table([
    ['daemon', `${state} (process ${pid ?? 'unknown'}, Mneme ${version})`],
    ['since', started],
    ['last sign', beat],
    ['doing', job === null ? 'waiting' : `${job}${progress === null ? '' : ` – ${progress}`}`],
    ['jobs', `${metrics.jobsDone} done, ${metrics.jobsFailed} failed`],
    ['uses', `${metrics.rssMb} MB, ${metrics.cpuSeconds} s of processor time`],
    ...(lastProblem === null ? [] : [['problem', style.yellow(lastProblem)]]),
  ]);
}

export async function endDaemon(cli: Cli, options: GlobalOptions): Promise<void> {
  assertMayWrite(cli.actor(options), 'daemon stop');
  const result = await stopDaemon(path.resolve(cli.home(options)));
  cli.print(options, result, ({ wasRunning, pid }) =>
    wasRunning ? `${cli.style.green('Stopped')} process ${pid ?? ''}.\n` : 'No daemon was running.\n',
  );
}
