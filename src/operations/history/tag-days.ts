import { z } from 'zod';
import { must } from '../../model/errors.ts';
import { addDays, isoWeek, localTime } from '../../model/time.ts';
import type { Git } from '../../workspace/git/git.ts';
import { parseMoment } from '../../workspace/git/revisions.ts';
import { createTag, findLatestTag, TAG_ROOT } from '../../workspace/git/tags.ts';
import type { OperationContext } from '../context.ts';
import { openHistory } from './open-history.ts';
import { defineOperation } from '../operation.ts';

/** A machine that was off for longer gets tags for the last of its days only. */
const MAX_DAYS_BACK = 62;

export interface TaggedDays {
  readonly made: readonly string[];
}

/** Tags every day and week that has ended since the last one that has a tag, as far as they changed anything. */
export const tagDays = defineOperation({
  name: 'tag days',
  summary: 'Tag the days and weeks that have ended.',
  input: z.object({}),
  effect: 'write',
  withoutLease: 'own',
  run: tagEndedDays,
});

async function tagEndedDays(context: OperationContext): Promise<TaggedDays> {
  const { git } = await openHistory(context);
  const { time_zone: timeZone } = context.config;
  const nowMs = context.clock.now();
  const yesterday = addDays(localTime(nowMs, timeZone).date, -1);
  const latest = (await findLatestTag(git, 'daily'))?.name.slice(`${TAG_ROOT}daily/`.length);
  const made: string[] = [];
  for (const date of daysBetween(latest, yesterday)) {
    const endMs = must(parseMoment(date, nowMs, timeZone, 'end'), `the end of ${date}`);
    const commit = await findCommitAt(git, context.config.git.branch, endMs);
    if (commit === undefined) continue;
    const isSunday = new Date(`${date}T00:00:00Z`).getUTCDay() === 0;
    for (const name of [`daily/${date}`, ...(isSunday ? [`weekly/${isoWeek(date)}`] : [])]) {
      if ((await createTag(git, { name, commit, nowMs })).isNew) made.push(name);
    }
  }
  return { made };
}

/** The memory itself, also while something is being tried out on another branch. */
async function findCommitAt(git: Git, branch: string, timeMs: number): Promise<string | undefined> {
  const until = `--until=${new Date(timeMs).toISOString()}`;
  const commit = await git.text(['rev-list', '--max-count=1', '--first-parent', until, `refs/heads/${branch}`, '--']);
  return commit === '' ? undefined : commit;
}

/** The days after one, up to and with another; only that other when there is no first. */
function daysBetween(after: string | undefined, last: string): string[] {
  const first = after === undefined ? last : addDays(after, 1);
  const days: string[] = [];
  for (let day = last; day >= first && days.length < MAX_DAYS_BACK; day = addDays(day, -1)) days.push(day);
  return days.reverse();
}
