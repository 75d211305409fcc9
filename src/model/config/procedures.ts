import { z } from 'zod';
import { integer } from './values.ts';

/** How things are done: running procedures, learning and refining them. */
export const procedures = () =>
  z
    .strictObject({
      step_timeout_seconds: integer(300, 'Time for a step that names none.', { min: 1, max: 86_400 }),
      max_at_once: integer(4, 'Runs at a time in one process; the more urgent first.', { min: 1, max: 100 }),
      learn_min_repeats: integer(3, 'Conversations in which the same steps went well before they are proposed.', {
        min: 2,
        max: 100,
      }),
      refine_min_runs: integer(5, 'Runs of a step before anything is concluded from them.', { min: 2, max: 1000 }),
    })
    .prefault({})
    .describe('Procedures. When failing ones are put up for review: `retention.procedural`.');
