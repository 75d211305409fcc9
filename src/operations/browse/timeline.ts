import { z } from 'zod';
import { addDays, localTime } from '../../model/time.ts';
import { readEpisodes } from '../../memory/episodes/read-episodes.ts';
import { runOperation } from '../operation.ts';
import { defineVerb } from '../verb.ts';
import { episodes, type ListedEpisode } from '../stores/episodes.ts';
import { dayOfTranscript, describeTranscript, openSessions, transcriptPaths, type ListedSession } from './sessions.ts';

const input = z.strictObject({
  until: z
    .string()
    .regex(/^\d{4}-\d{2}-\d{2}$/u, 'is a day such as 2026-02-16')
    .optional()
    .describe('Last day, such as 2026-02-16; today when not given.'),
  days: z.number().int().min(1).max(60).default(7).describe('How many days on which something happened.'),
});

export type TimelineInput = z.input<typeof input>;

export interface TimelineDay {
  readonly date: string;
  readonly sessions: readonly ListedSession[];
  readonly episodes: readonly ListedEpisode[];
}

export interface TimelineDays {
  /** Days on which something happened, the latest first. */
  readonly days: readonly TimelineDay[];
  /** Give it as `until` for earlier days; null at the end. */
  readonly next: string | null;
}

export const timeline = defineVerb({
  name: 'timeline',
  summary: 'Show day by day: the conversations, and what was remembered of the day.',
  description:
    'Show day by day the conversations and what was remembered of the day, the latest first; --until goes further back.',
  input,
  effect: 'read',
  async run(context, { until, days: limit }): Promise<TimelineDays> {
    const { clock, config, workspace } = context;
    const open = openSessions(context);
    const paths = transcriptPaths(context);
    const known = new Set([
      ...paths.map(dayOfTranscript),
      ...open.flatMap(({ started }) => started.slice(0, 10) || []),
      ...readEpisodes(workspace.root).map(({ date }) => date),
    ]);
    // A clock that was wrong once leaves days in the future; they are shown, not hidden.
    const last = until ?? [...known, localTime(clock.now(), config.time_zone).date].toSorted().at(-1) ?? '';
    const wanted = [...known]
      .filter((date) => date <= last)
      .toSorted()
      .reverse();
    const shown = wanted.slice(0, limit);
    const days: TimelineDay[] = [];
    for (const date of shown) {
      const { episodes: own } = await runOperation(episodes, context, { since: date, until: date, limit: 1000 });
      const ended = paths
        .filter((path) => dayOfTranscript(path) === date)
        .flatMap((path) => describeTranscript(context, path));
      const going = open.filter(({ started }) => started.startsWith(date));
      days.push({ date, sessions: [...going, ...ended], episodes: own });
    }
    return { days, next: wanted.length > limit ? addDays(shown.at(-1) ?? last, -1) : null };
  },
  cli: { path: 'memory timeline', isDefault: true, formerly: ['timeline'], options: { until: { value: 'day' } } },
  render: async (view, days) => (await import('./render.ts')).renderTimeline(view, days),
});
