import { readEpisodes } from '../../memory/episodes/read-episodes.ts';
import { DAY_MS, localTime } from '../../model/time.ts';
import type { OperationContext } from '../context.ts';
import { reflectionsOf } from '../proposals/find.ts';

/** A person who is asked every day stops reading. */
const SCHEDULED_DAYS = 7;
/** A busy week's entries: more would be too much for one reflection. */
const MANY_ENTRIES = 50;
/** Shorter conversations rarely show anything that extraction did not. */
const LONG_SESSION_TURNS = 40;

/** Why a reflection should be made without anybody asking for one; undefined when it should not. */
export function dueTrigger(context: OperationContext): 'schedule' | 'threshold' | undefined {
  const { config, clock } = context;
  const last = reflectionsOf(context).findLast(({ state }) => state !== 'withdrawn')?.created;
  const lastMs = last === undefined ? 0 : Date.parse(last);
  if (clock.now() - lastMs >= SCHEDULED_DAYS * DAY_MS) return 'schedule';
  return hasManyEntries(context, localTime(lastMs, config.time_zone).date) ? 'threshold' : undefined;
}

/** Entries of the day of the last reflection may have been in it: only those of later days count. */
function hasManyEntries({ workspace }: OperationContext, lastDay: string): boolean {
  return readEpisodes(workspace.root, { since: lastDay }).filter(({ date }) => date > lastDay).length >= MANY_ENTRIES;
}

/** Whether conversations that just ended were long enough to look back on. */
export function isLongEnough({ config }: OperationContext, turns: readonly (string | null)[]): boolean {
  if (!config.reflection.on_session_end) return false;
  return turns.some((turn) => Number(/^t(\d+)$/u.exec(turn ?? '')?.[1] ?? 0) >= LONG_SESSION_TURNS);
}
