import type { OperationContext } from '../../operations/context.ts';
import { JOB_TIMES } from '../../model/config/running.ts';
import type { Job } from './job.ts';
import type { JobSchedule } from './plan.ts';
import { hash } from 'node:crypto';

/** Homes on one machine do not all start at the same second. */
const MAX_JITTER_MS = 30_000;

/** When the home's settings want a job; undefined when they switch it off. */
export function scheduleOf(
  { config, home }: Pick<OperationContext, 'config' | 'home'>,
  job: Job,
  maxJitterMs = MAX_JITTER_MS,
): JobSchedule | undefined {
  const { scheduler, time_zone: timeZone } = config;
  const own = scheduler[job.schedule];
  if (own === null) return undefined;
  return {
    cron: own ?? JOB_TIMES[job.schedule],
    timeZone,
    catchUp: true,
    jitterMs: jitterOf(home, job.name, maxJitterMs),
  };
}

/** The name of a schedule in the log. */
export function scheduleName({ cron, timeZone }: JobSchedule): string {
  return `${cron} ${timeZone}`;
}

/** Why a job does not run by itself; undefined when it does, while a daemon runs. */
export async function whyOff(context: OperationContext, job: Job): Promise<string | undefined> {
  if (context.config.scheduler[job.schedule] === null) return `scheduler.${job.schedule} is null`;
  return job.whyOff?.(context);
}

/** Spreads the jobs of many homes over a while; the same for one job in one home every time. */
function jitterOf(home: string, job: string, mostMs: number): number {
  const share = Number.parseInt(hash('sha256', `${home}\0${job}`).slice(0, 8), 16) / 0x1_0000_0000;
  return Math.floor(share * (mostMs + 1));
}
