import { z } from 'zod';
import { SOURCES, TRUST_LEVELS } from '../provenance.ts';
import { confidence, day, fraction, oneOf, text, textList, timestamp } from './fields.ts';

/** The files that follow the calendar: episodes as they happened, journals as they were condensed. */

export const EPISODE_TYPES = [
  'decision',
  'fact',
  'preference',
  'task',
  'event',
  'emotion',
  'correction',
  'error',
  'learning',
  'interaction',
] as const;
export type EpisodeType = (typeof EPISODE_TYPES)[number];

/** One day of episodes. `source`, `trust` … here are the defaults of the entries below. */
export const episodeSchema = z.looseObject({
  type: z.literal('episodes', { error: 'must be episodes' }).optional(),
  date: day.optional(),
  part: z.number().int().min(1).optional().describe('2 and up for the files a full day rolled into.'),
  source: oneOf(SOURCES).optional(),
  trust: oneOf(TRUST_LEVELS).optional(),
  session: text.optional(),
  importance: fraction.optional(),
  confidence: confidence.optional(),
});
export type EpisodeFrontmatter = z.infer<typeof episodeSchema>;

export const JOURNAL_PERIODS = ['day', 'week', 'month'] as const;
export type JournalPeriod = (typeof JOURNAL_PERIODS)[number];

const PERIOD_HINT = 'must be a day (2026-02-16), week (2026-W07) or month (2026-02)';

export const journalSchema = z.looseObject({
  type: z.literal('journal', { error: 'must be journal' }).optional(),
  period: oneOf(JOURNAL_PERIODS).optional(),
  date: z
    .string({ error: PERIOD_HINT })
    .regex(/^\d{4}-(?:\d{2}-\d{2}|W\d{2}|\d{2})$/, PERIOD_HINT)
    .optional(),
  sessions: textList.optional(),
  updated: timestamp.optional(),
  tags: textList.optional(),
});
export type JournalFrontmatter = z.infer<typeof journalSchema>;
