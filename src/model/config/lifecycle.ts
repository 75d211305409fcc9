import { z } from 'zod';
import { choice, days, decimal, flag, fraction, optionalDays } from './values.ts';

/** Settings for how memories arise, fade and are archived. */

export const capture = () =>
  z
    .strictObject({
      auto: flag(
        true,
        'Keep significant content of a session without being asked; off: only what you ask to remember.',
      ),
      auto_min_importance: fraction(0, 'Importance such content needs: 0.5 keeps about the weightier half.'),
    })
    .prefault({})
    .describe('Recording conversations.');

export const extract = () =>
  z
    .strictObject({
      trigger: choice(
        ['on_session_end', 'hourly', 'manual'],
        'on_session_end',
        'When conversations are turned into knowledge: behind each end of one, in the background; every hour, by the daemon; or only by `mneme learn extract`.',
      ),
      imports: flag(true, 'Do the same with imported conversations, the newest first; by hand always works.'),
    })
    .prefault({})
    .describe('Turning transcripts into knowledge.');

export const reflection = () =>
  z
    .strictObject({
      on_session_end: flag(true, 'Reflect after a long conversation as well as on the schedule of the `reflect` job.'),
    })
    .prefault({})
    .describe('Reflection. What it proposes is never applied by silence.');

export const decay = () =>
  z
    .strictObject({
      grace_days: days(30, 'Days after something was learned, confirmed or used before it begins to fade.'),
      lambda_per_day: decimal(
        0.03,
        'Rate of fading: 0.03 halves a memory in 23 days without use; 0 switches fading off.',
        { max: 10 },
      ),
    })
    .prefault({})
    .describe('Fading. It lowers the rank of what is not used and leads to the archive; it hides nothing.');

const DELETE_MEANING = 'Age at which it is deleted; null: never, deletion is opted into.';

export const retention = () =>
  z
    .strictObject({
      episodic: z
        .strictObject({
          archive_after_days: days(
            90,
            'Age at which archiving is proposed; entries of low importance after 7 days, of high importance never.',
          ),
          delete_after_days: optionalDays(DELETE_MEANING),
        })
        .prefault({})
        .describe('Episodes.'),
      journal: z
        .strictObject({
          archive_after_days: days(90, 'Age at which a day is archived.'),
          delete_after_days: optionalDays(DELETE_MEANING),
        })
        .prefault({})
        .describe('Daily journals.'),
      sessions: z
        .strictObject({
          compress_after_days: days(90, 'Age at which a transcript is packed; hash and chain entry stay valid.'),
          delete_after_days: optionalDays(DELETE_MEANING),
        })
        .prefault({})
        .describe('Transcripts.'),
    })
    .prefault({})
    .describe('How long each store is kept: archive, then pack, then delete only where a number says so.');
