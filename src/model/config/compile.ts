import { z } from 'zod';
import { choice, decimal, fraction, integer } from './values.ts';

/** What goes into a prompt, and what stays in core memory for it. */

export const core = () =>
  z
    .strictObject({
      max_tokens: integer(3000, 'Most tokens MEMORY.md may hold; raise it when your agent’s window has room.', {
        min: 100,
        max: 100_000,
      }),
      max_lines: integer(200, 'Most lines MEMORY.md may hold; both limits apply.', { min: 10, max: 10_000 }),
      identity_tokens: integer(500, 'Most tokens for who the user is; the four parts together fit `max_tokens`.'),
      active_context_tokens: integer(1000, 'Most tokens for what is going on now.'),
      persona_tokens: integer(500, 'Most tokens for how to behave with this user.'),
      critical_facts_tokens: integer(1000, 'Most tokens for what must never be forgotten.'),
      warn_share: fraction(0.9, 'Share of a limit from which a write says that core memory is nearly full.'),
      refuse_share: decimal(1.1, 'Share of a limit above which your own addition is refused; machines stop at 1.', {
        min: 1,
        max: 10,
      }),
    })
    .prefault({})
    .describe('Core memory: MEMORY.md and its four blocks.');

export const context = () =>
  z
    .strictObject({
      preset: choice(
        ['hook', 'dense', 'standard', 'large'],
        'dense',
        'Budget of a context whose caller names none: 1,500, 8,192, 32,768 or 200,000 tokens. Pick one that fits your model’s window.',
      ),
      presets: z
        .strictObject({
          hook_tokens: integer(
            1500,
            'Most tokens a hook adds to one message; lower it to save, raise it to tell more.',
            {
              min: 100,
            },
          ),
        })
        .prefault({})
        .describe('Budgets by name.'),
      min_relevance: fraction(
        0.65,
        'Chance that a message needs something remembered from which on a hook adds it: higher is quieter. See docs/context.md.',
      ),
      journal_days: integer(2, 'Days of journal loaded at the start of a session: 2 is today and yesterday.', {
        max: 31,
      }),
    })
    .prefault({})
    .describe('Compiling a prompt.');
