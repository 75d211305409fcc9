import type { OperationContext } from '../../operations/context.ts';
import type { Job } from './job.ts';
import { jitterOf } from './jitter.ts';
import type { JobSchedule } from './plan.ts';

/** When the home's settings want a job; undefined when they switch it off. */
export function scheduleOf(
  { config, home }: Pick<OperationContext, 'config' | 'home'>,
  job: Job,
): JobSchedule | undefined {
  const { scheduler, time_zone: timeZone } = config;
  const cron = scheduler[job.schedule];
  if (cron === null) return undefined;
  const jitterMs = jitterOf(home, job.name, scheduler.jitter_seconds * 1000);
  return { cron, timeZone, catchUp: scheduler.catch_up, jitterMs };
}

/** What the log knows a schedule by. */
export function scheduleName({ cron, timeZone }: JobSchedule): string {
  return `${cron} ${timeZone}`;
}

/** Why a job does not run by itself; undefined when it does, while a daemon runs. */
export async function whyOff(context: OperationContext, job: Job): Promise<string | undefined> {
  if (!context.config.scheduler.enabled) return 'scheduler.enabled is off';
  if (context.config.scheduler[job.schedule] === null) return `scheduler.${job.schedule} is null`;
  return job.whyOff?.(context);
}
