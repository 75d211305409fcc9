import path from 'node:path';
import { z } from 'zod';
import { nodeFileSystem } from '../../platform/fs.ts';
import type { JobMemory } from './plan.ts';

/** `schedule` names cron and zone it was run under; null when somebody asked for it. */
const base = { job: z.string(), time: z.int(), schedule: z.string().nullable() };

const line = z.discriminatedUnion('event', [
  /** From here on the job is looked after under this schedule; what came before is nobody's business. */
  z.object({ ...base, event: z.literal('known') }),
  z.object({ ...base, event: z.literal('started'), run: z.string(), scheduled: z.int().nullable() }),
  z.object({
    ...base,
    event: z.literal('ended'),
    run: z.string(),
    state: z.enum(['done', 'failed', 'stopped']),
    scheduled: z.int().nullable(),
    tookMs: z.number(),
    summary: z.string(),
    notes: z.array(z.string()).default([]),
  }),
  /** Missed, and nobody makes up for it. */
  z.object({ ...base, event: z.literal('skipped'), scheduled: z.int() }),
]);

export type JobLine = z.output<typeof line>;

export type RunState = 'done' | 'failed' | 'stopped' | 'running' | 'interrupted';

export interface JobRunRecord {
  readonly job: string;
  readonly run: string;
  readonly started: number;
  /** The occurrence it served; null when somebody asked for it. */
  readonly scheduled: number | null;
  readonly state: RunState;
  readonly tookMs: number | null;
  readonly summary: string;
  readonly notes: readonly string[];
}

/** Enough to see how a monthly job went the time before. */
const KEPT_MONTHS = 3;

/**
 * The log of jobs: JSON lines under `journal/jobs/`, a file a month. Synced, because what is done must not be done
 * again after a power cut.
 */
export class JobLog {
  readonly #folder: string;

  constructor(journal: string) {
    this.#folder = path.join(journal, 'jobs');
  }

  async append(entry: JobLine): Promise<void> {
    nodeFileSystem.makeDirectory(this.#folder);
    const file = nodeFileSystem.open(
      path.join(this.#folder, `${new Date(entry.time).toISOString().slice(0, 7)}.jsonl`),
    );
    try {
      const end = file.size();
      // A line that was cut short by a power cut must not take this one with it.
      const isTorn = end > 0 && file.read(end - 1, 1).toString() !== '\n';
      file.write(Buffer.from(`${isTorn ? '\n' : ''}${JSON.stringify(entry)}\n`, 'utf8'), end);
      await file.sync();
    } finally {
      file.close();
    }
  }

  /** Everything that is kept, the oldest first. Lines that cannot be read are passed over: they were cut short. */
  read(): JobLine[] {
    return this.#months().flatMap((name) => {
      const text = nodeFileSystem.read(path.join(this.#folder, name))?.toString('utf8') ?? '';
      return text.split('\n').flatMap(parseLine);
    });
  }

  removeOld(): void {
    for (const name of this.#months().slice(0, -KEPT_MONTHS)) nodeFileSystem.remove(path.join(this.#folder, name));
  }

  #months(): string[] {
    return nodeFileSystem
      .list(this.#folder)
      .filter((name) => /^\d{4}-\d{2}\.jsonl$/u.test(name))
      .sort();
  }
}

function parseLine(text: string): JobLine[] {
  if (text === '') return [];
  try {
    const parsed = line.safeParse(JSON.parse(text));
    return parsed.success ? [parsed.data] : [];
  } catch (error) {
    if (error instanceof SyntaxError) return [];
    throw error;
  }
}

/** The scheduler's knowledge of a job; undefined when it was never looked after under this schedule. */
export function recallJob(lines: readonly JobLine[], job: string, schedule: string): JobMemory | undefined {
  let memory: JobMemory | undefined;
  for (const entry of lines) {
    // One that somebody asked for serves nothing: the nightly run still has its night.
    if (entry.job !== job || entry.schedule === null) continue;
    // Runs under another cron expression, or in another zone, say nothing about this one.
    memory = entry.schedule === schedule ? rememberRun(memory, entry) : undefined;
  }
  return memory;
}

/** The state of a job after one more line of its log. */
export function rememberRun(memory: JobMemory | undefined, entry: JobLine): JobMemory {
  if (entry.event === 'known') return { servedMs: entry.time, failures: 0 };
  const scheduledMs = entry.scheduled ?? entry.time;
  const { servedMs, failures } = memory ?? { servedMs: scheduledMs - 1, failures: 0 };
  if (entry.event === 'skipped') return { servedMs: scheduledMs, failures: 0 };
  // Counted when it starts, so that one that takes its process along is not tried again at once, for ever.
  if (entry.event === 'started') return { servedMs, failures: failures + 1, lastTryMs: entry.time };
  if (entry.state === 'done') return { servedMs: scheduledMs, failures: 0 };
  if (entry.state === 'failed') return { servedMs, failures: Math.max(1, failures), lastTryMs: entry.time };
  // Stopped because the process was to end: no fault of its own, so the next process goes on at once.
  return { servedMs, failures: Math.max(0, failures - 1) };
}

/** The runs there were, the newest first. */
export function describeRuns(lines: readonly JobLine[], isRunning: (job: string) => boolean): JobRunRecord[] {
  const runs = new Map<string, JobRunRecord>();
  const latest = new Map<string, string>();
  for (const entry of lines) {
    if (entry.event === 'started') {
      const { job, run, scheduled, time } = entry;
      latest.set(job, run);
      const record = { job, run, started: time, scheduled, tookMs: null, summary: '', notes: [] };
      runs.set(run, { ...record, state: 'interrupted' });
    } else if (entry.event === 'ended') {
      const { state, tookMs, summary, notes } = entry;
      const begun = runs.get(entry.run);
      if (begun !== undefined) runs.set(entry.run, { ...begun, state, tookMs, summary, notes });
    }
  }
  for (const [job, run] of latest) {
    const record = runs.get(run);
    if (record?.state === 'interrupted' && isRunning(job)) runs.set(run, { ...record, state: 'running' });
  }
  return [...runs.values()].reverse();
}
