import { errorMessage, MnemeError } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { ProcessLock } from '../../platform/process-lock.ts';
import type { OperationContext } from '../../operations/context.ts';
import type { Job } from '../jobs/job.ts';
import { readHome } from '../../workspace/home.ts';
import { type HomePaths, daemonLock } from '../../workspace/home-paths.ts';
import { leaseOf, openJobQueue } from '../coordination/open-coordination.ts';
import { SharedJobs } from '../coordination/shared-jobs.ts';
import { Scheduler, type SchedulerEvents } from '../jobs/scheduler.ts';
import { waitFor } from '../../platform/clock.ts';
import { DaemonLog, type Heartbeat, type LogLine, removeHeartbeat, writeHeartbeat } from './daemon-log.ts';

/** The content of a sign of life. */
class Vitals {
  readonly #clock: Clock;
  readonly #version: string;
  readonly #started: string;
  #job: string | null = null;
  #progress: string | null = null;
  #jobsDone = 0;
  #jobsFailed = 0;
  #problems = 0;
  #lastProblem: string | null = null;

  constructor(clock: Clock, version: string) {
    this.#clock = clock;
    this.#version = version;
    this.#started = new Date(clock.now()).toISOString();
  }

  begin(job: string): void {
    this.#job = job;
    this.#progress = null;
  }

  progressed(text: string): void {
    this.#progress = text;
  }

  end(state: 'done' | 'failed' | 'stopped'): void {
    this.#job = null;
    this.#progress = null;
    if (state === 'done') this.#jobsDone += 1;
    if (state === 'failed') this.#jobsFailed += 1;
  }

  noteProblem(message: string): void {
    this.#problems += 1;
    this.#lastProblem = message;
  }

  describe(intervalSeconds: number): Heartbeat {
    const { user, system } = process.cpuUsage();
    return {
      pid: process.pid,
      version: this.#version,
      started: this.#started,
      beat: new Date(this.#clock.now()).toISOString(),
      intervalSeconds,
      job: this.#job,
      progress: this.#progress,
      metrics: {
        jobsDone: this.#jobsDone,
        jobsFailed: this.#jobsFailed,
        problems: this.#problems,
        rssMb: Math.round(process.memoryUsage.rss() / 1_000_000),
        cpuSeconds: Math.round((user + system) / 1_000_000),
      },
      lastProblem: this.#lastProblem,
    };
  }
}

/** A home that the daemon keeps open. */
export interface DaemonHome {
  readonly context: OperationContext;
  close(): Promise<void>;
}

export interface DaemonParts {
  readonly home: string;
  readonly open: (onProblem: (message: string) => void) => Promise<DaemonHome>;
  readonly jobs: readonly Job[];
  readonly clock: Clock;
  readonly version: string;
  /** Less than usual in tests. */
  readonly heartbeatSeconds?: number | undefined;
  readonly onLine?: ((line: LogLine) => void) | undefined;
}

export interface DaemonEnd {
  /** False when something did not finish in time and was left as it was; nothing is lost by that. */
  readonly isClean: boolean;
}

/** Long enough for a job to reach a safe place and for git to follow; service managers wait longer than this. */
const SHUTDOWN_MS = 25_000;
/** The interval for checking mneme.yaml for changes. */
const SETTINGS_LOOK_MS = 5000;
/** Between signs of life: `mneme daemon status` calls a daemon hung after a few of them. */
const HEARTBEAT_SECONDS = 30;
const REOPEN_PAUSE_MS = 10_000;

/** Runs until it is told to stop: watches files, runs jobs, gives signs of life. */
export async function runDaemon(parts: DaemonParts, stop: AbortSignal): Promise<DaemonEnd> {
  const { paths } = await readHome(parts.home);
  return new Daemon(parts, paths, { lock: takeLock(paths), stop }).run();
}

function takeLock(paths: HomePaths): ProcessLock {
  const file = daemonLock(paths);
  const lock = ProcessLock.tryTake(file);
  if (lock !== undefined) return lock;
  const holder = ProcessLock.findHolder(file);
  throw new MnemeError(
    'locked',
    `A daemon runs on ${paths.home} already${holder === undefined ? '' : ` (process ${holder})`}.`,
    {
      hint: '`mneme daemon status` shows it, `mneme daemon stop` ends it.',
    },
  );
}

interface Begun {
  readonly lock: ProcessLock;
  readonly stop: AbortSignal;
}

class Daemon {
  readonly #parts: DaemonParts;
  readonly #paths: HomePaths;
  readonly #stop: AbortSignal;
  readonly #vitals: Vitals;
  readonly #log: DaemonLog;
  readonly #lost = new AbortController();
  #lock: ProcessLock;
  #hasEnded = false;

  constructor(parts: DaemonParts, paths: HomePaths, { lock, stop }: Begun) {
    this.#parts = parts;
    this.#paths = paths;
    this.#lock = lock;
    this.#stop = AbortSignal.any([stop, this.#lost.signal]);
    this.#vitals = new Vitals(parts.clock, parts.version);
    this.#log = new DaemonLog({
      folder: paths.logs,
      clock: parts.clock,
      onLine: parts.onLine,
    });
  }

  async run(): Promise<DaemonEnd> {
    this.#log.write('info', 'started', `The daemon runs on ${this.#paths.home}.`, { pid: process.pid });
    const beating = this.#beat();
    const work = this.#work();
    const worked = new AbortController();
    try {
      const isClean = await Promise.race([work.then(() => true), this.#tooLate(worked.signal)]);
      if (isClean) this.#log.write('info', 'stopped', 'The daemon has stopped.');
      else
        this.#log.write('warn', 'stopped', 'The daemon has stopped before everything was finished; nothing is lost.');
      return { isClean };
    } finally {
      this.#hasEnded = true;
      worked.abort();
      this.#lost.abort();
      await beating;
      if (this.#lock.isValid()) removeHeartbeat(this.#paths.state);
      this.#lock.release();
    }
  }

  /** Stops waiting, too, when the work is done: a timer left over would keep the process. */
  async #tooLate(worked: AbortSignal): Promise<false> {
    await waitFor(Infinity, this.#stop);
    await waitFor(SHUTDOWN_MS, worked);
    return false;
  }

  /** Opens the home, works on it, and opens it anew when its settings have changed. */
  async #work(): Promise<void> {
    while (!this.#stop.aborted) {
      try {
        const opened = await this.#parts.open((message) => this.#problem('watch', message));
        await this.#workOn(opened);
      } catch (error) {
        this.#problem('open', `The home cannot be used: ${errorMessage(error)}`);
        await waitFor(REOPEN_PAUSE_MS, this.#stop);
      }
    }
  }

  async #workOn(opened: DaemonHome): Promise<void> {
    const { context } = opened;
    for (const notice of context.notices) this.#problem('opened', notice);
    const changed = new AbortController();
    const until = AbortSignal.any([this.#stop, changed.signal]);
    const looking = this.#untilSettingsChange(until).then(() => changed.abort());
    try {
      await this.#runJobs(context, until);
    } finally {
      changed.abort();
      await looking;
      await opened.close();
    }
  }

  /** Where machines share a memory, some jobs are done by one of them for all. */
  async #runJobs(context: OperationContext, until: AbortSignal): Promise<void> {
    const queue = openJobQueue(context);
    const { jobs } = this.#parts;
    if (queue === undefined) return this.#scheduler(context, jobs).run(until);
    const lease = leaseOf(context.homeIndex.parts);
    const shared = new SharedJobs({ ...this.#events, context, jobs, queue, lease });
    try {
      await Promise.all([this.#scheduler(context, shared.scheduled).run(until), shared.work(until)]);
    } finally {
      await queue.close();
      await lease.close();
    }
  }

  async #untilSettingsChange(until: AbortSignal): Promise<void> {
    const read = (): string => JSON.stringify(nodeFileSystem.stamp(this.#paths.configFile), textOfBigInts);
    const before = read();
    while (!until.aborted && read() === before) await waitFor(SETTINGS_LOOK_MS, until);
    if (!until.aborted) this.#log.write('info', 'settings', 'mneme.yaml has changed; the home is opened anew.');
  }

  #scheduler(context: OperationContext, jobs: readonly Job[]): Scheduler {
    return new Scheduler({ ...this.#events, context, jobs });
  }

  get #events(): SchedulerEvents {
    return {
      onStart: (job) => {
        this.#vitals.begin(job);
        this.#giveSign();
      },
      onProgress: (_job, text) => this.#vitals.progressed(text),
      onEnd: ({ job, state, summary, notes, tookMs, run }) => {
        this.#vitals.end(state);
        const level = state === 'failed' ? 'error' : 'info';
        this.#log.write(level, `job-${state}`, `${job}: ${summary}`, { job, run, tookMs, notes });
        if (state === 'failed') this.#vitals.noteProblem(`${job}: ${summary}`);
        this.#giveSign();
      },
      onSkip: (job, scheduledMs) => {
        const missed = new Date(scheduledMs).toISOString();
        this.#log.write('warn', 'job-skipped', `${job} was missed and is not made up for`, { job, missed });
      },
      onProblem: (message) => this.#problem('scheduler', message),
    };
  }

  /** Signs of life, and a look whether the home is still ours: somebody may have deleted `state/`. */
  async #beat(): Promise<void> {
    while (!this.#lost.signal.aborted) {
      this.#giveSign();
      this.#keepLock();
      await waitFor((this.#parts.heartbeatSeconds ?? HEARTBEAT_SECONDS) * 1000, this.#lost.signal);
    }
  }

  #giveSign(): void {
    try {
      writeHeartbeat(this.#paths.state, this.#vitals.describe(this.#parts.heartbeatSeconds ?? HEARTBEAT_SECONDS));
    } catch (error) {
      this.#log.write('warn', 'heartbeat', `No sign of life can be given: ${errorMessage(error)}`);
    }
  }

  #keepLock(): void {
    if (this.#lock.isValid()) return;
    const again = ProcessLock.tryTake(daemonLock(this.#paths));
    if (again === undefined) {
      this.#log.write('error', 'replaced', 'Another daemon has taken over this home; this one stops.');
      this.#lost.abort();
      return;
    }
    this.#lock.release();
    this.#lock = again;
  }

  #problem(event: string, message: string): void {
    // A watcher may still be told of the last edits when what it works on is closed.
    if (this.#hasEnded) return;
    this.#vitals.noteProblem(message);
    this.#log.write('warn', event, message);
  }
}

function textOfBigInts(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}
