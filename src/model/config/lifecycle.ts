import { z } from 'zod';
import { choice, days, decimal, flag, fraction, integer, optionalDays } from './values.ts';

/** How memories arise, are condensed, fade and are put away. */

export const capture = () =>
  z
    .strictObject({
      auto: flag(true, 'Notice significant content that nobody asked to remember.'),
      auto_min_importance: fraction(0.6, 'Importance such content needs.'),
      idle_hours: decimal(6, 'Quiet hours after which an open session counts as ended.', { min: 0.1, max: 720 }),
      tool_result_max_chars: integer(200, 'Characters of a tool’s result kept in its one line of transcript.', {
        max: 10_000,
      }),
    })
    .prefault({})
    .describe('Recording conversations.');

export const extract = () =>
  z
    .strictObject({
      trigger: choice(
        ['on_session_end', 'hourly', 'manual'],
        'on_session_end',
        'When conversations are turned into knowledge: behind each end of one, in the background; every hour, by the daemon; or only by `mneme extract`.',
      ),
      imports: flag(true, 'Do the same with imported conversations, the newest first; by hand always works.'),
      min_confidence: fraction(0.5, 'Candidates less certain than this are dropped.'),
    })
    .prefault({})
    .describe('Turning transcripts into knowledge.');

export const consolidation = () =>
  z
    .strictObject({
      enabled: flag(true, 'Condense old episodes into journals, facts and procedures.'),
      min_age_days: days(7, 'Age at which episodes are condensed.'),
      min_importance: fraction(0.6, 'Importance from which an episode’s content is carried over.'),
    })
    .prefault({})
    .describe('Condensing what is older. Additions apply; rewriting and merging are proposed. Times: `scheduler`.');

export const reflection = () =>
  z
    .strictObject({
      enabled: flag(true, 'Reflect on the schedule; by hand always works.'),
      max_output_tokens: integer(8000, 'Length of all that one reflection writes; what it reads is not limited.', {
        min: 500,
      }),
      on_session_end: flag(true, 'Also reflect after a long conversation.'),
      long_session_messages: integer(40, 'Messages that make a conversation long.', { min: 1 }),
      unprocessed_entries: integer(50, 'Episode entries since the last reflection that start one; 0: never.'),
      milestones: z
        .array(z.int().min(1))
        .meta({ allowed: 'a list of whole numbers from 1' })
        .default([10, 25, 50, 100])
        .describe('Reflections after which the evolution so far is written down.'),
    })
    .prefault({})
    .describe('Reflection. What it proposes is never applied by silence.');

export const decay = () =>
  z
    .strictObject({
      enabled: flag(true, 'Let unused memories fade.'),
      grace_days: days(30, 'Days after something was learned, confirmed or used before it begins to fade.'),
      lambda_per_day: decimal(0.03, 'Rate of fading: 0.03 halves a memory in 23 days without use.', { max: 10 }),
      base: z
        .strictObject({
          explicit: fraction(1, 'The user asked to remember it.'),
          detected: fraction(0.7, 'Noticed in a conversation.'),
          inferred: fraction(0.5, 'Concluded from other memories.'),
        })
        .prefault({})
        .describe('Relevance a memory starts with.'),
      type_weights: z
        .strictObject({
          core: decimal(1.5, 'Core memory.', { max: 10 }),
          episodic: decimal(0.8, 'Episodes.', { max: 10 }),
          semantic: decimal(1.2, 'Entities and facts.', { max: 10 }),
          procedural: decimal(1, 'Procedures.', { max: 10 }),
        })
        .prefault({})
        .describe('How well each store resists fading; pinned memories never fade.'),
      active_min: fraction(0.5, 'Relevance from which a memory is active.'),
      fading_min: fraction(0.2, 'From which it is fading.'),
      dormant_min: fraction(0.05, 'From which it is dormant. Below, archiving is proposed (S4 hides it).'),
    })
    .prefault({})
    .describe('Fading. It lowers the rank of what is not used and leads to the archive; it hides nothing.');

export const gc = () =>
  z
    .strictObject({
      enabled: flag(true, 'Look for memories that nobody needs.'),
      recency_weight: fraction(0.3, 'Share of age in the score.'),
      access_weight: fraction(0.4, 'Share of use in the score.'),
      importance_weight: fraction(0.3, 'Share of importance in the score.'),
      half_life_days: decimal(7, 'Days in which the age part halves (S3 says half-life, its formula halves in 4.9).', {
        min: 0.1,
        max: 36_500,
      }),
      max_score: fraction(0.2, 'Score below which archiving is proposed.'),
      min_age_days: days(30, 'Age before which nothing is proposed.'),
    })
    .prefault({})
    .describe('Garbage collection. It only proposes, and never what the chain holds.');

const DELETE_MEANING = 'Age at which it is deleted; null: never, deletion is opted into';

export const retention = () =>
  z
    .strictObject({
      low_importance_max: fraction(0.3, 'Importance up to which an entry counts as low (S1 has three levels).'),
      high_importance_min: fraction(
        0.7,
        'Importance from which an entry counts as high: never archived or deleted by age.',
      ),
      episodic: z
        .strictObject({
          active_days: days(30, 'Days in full reach.'),
          archive_after_days: days(90, 'Age at which archiving is proposed (S1: 30; one age for all stores).'),
          low_archive_after_days: days(7, 'The same for entries of low importance.'),
          medium_archive_after_days: days(
            90,
            'The same for entries of medium importance (S1: 60, twice its general age).',
          ),
          compress_after_days: days(90, 'Age at which an archived file is packed.'),
          delete_after_days: optionalDays(`${DELETE_MEANING} (S1: 365).`),
        })
        .prefault({})
        .describe('Episodes.'),
      journal: z
        .strictObject({
          active_days: days(2, 'Days that are always loaded.'),
          archive_after_days: days(90, 'Age at which a day is archived (S0: 90, S1: 7, S2: 30 files).'),
          compress_after_days: days(90, 'Age at which an archived day is packed (S1: 30; not before it is archived).'),
          delete_after_days: optionalDays(`${DELETE_MEANING} (S1: 180).`),
        })
        .prefault({})
        .describe('Daily journals.'),
      sessions: z
        .strictObject({
          active_days: days(7, 'Days in full reach.'),
          archive_after_days: days(90, 'Age at which a transcript counts as cold (S1: 30; one age for all stores).'),
          compress_after_days: days(90, 'Age at which it is packed; hash and chain entry stay valid.'),
          delete_after_days: optionalDays(`${DELETE_MEANING} (S1: 365).`),
        })
        .prefault({})
        .describe('Transcripts.'),
      semantic: z
        .strictObject({
          archive: flag(false, 'Archive entities by age; off: they are kept for good.'),
          review_low_confidence: flag(true, 'Put doubtful facts up for review.'),
          review_max_confidence: fraction(0.3, 'Confidence below which a fact is doubtful.'),
          review_interval_days: days(30, 'Days between reviews.'),
        })
        .prefault({})
        .describe('Entities and facts.'),
      procedural: z
        .strictObject({
          archive: flag(false, 'Archive procedures by age; off: they are kept for good.'),
          review_failing: flag(true, 'Put procedures that fail up for review.'),
          review_max_success_rate: fraction(0.1, 'Success rate below which a procedure fails.'),
          review_min_executions: integer(10, 'Runs before it is judged.', { min: 1 }),
          review_interval_days: days(30, 'Days between reviews.'),
        })
        .prefault({})
        .describe('Procedures.'),
    })
    .prefault({})
    .describe('How long each store is kept: archive, then pack, then delete only where a number says so.');
