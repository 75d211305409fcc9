import { Cron } from 'croner';
import { isCron } from '../../model/config/running.ts';
import { isActive } from './match.ts';
import type { KnownProcedure } from './procedures.ts';

export interface ScheduleOptions {
  readonly nowMs: number;
  /** The home's. */
  readonly timeZone: string;
  /** When a procedure was last run, or first seen. */
  readonly lastMs: (known: KnownProcedure) => number;
}

/** Active procedures whose time came since they were last run; one that was missed several times is due once. */
export function dueProcedures(procedures: readonly KnownProcedure[], options: ScheduleOptions): KnownProcedure[] {
  return procedures.filter((known) => {
    const { cron } = known.procedure.frontmatter.triggers ?? {};
    if (cron === undefined || !isCron(cron) || !isActive(known)) return false;
    const next = nextRunMs(cron, options.timeZone, options.lastMs(known));
    return next !== undefined && next <= options.nowMs;
  });
}

/** The first time of a schedule after a moment; undefined when there is none, such as on 31 February. */
export function nextRunMs(cron: string, timeZone: string, afterMs: number): number | undefined {
  return new Cron(cron, { timezone: timeZone, mode: '5-part' }).nextRun(new Date(afterMs))?.getTime();
}
