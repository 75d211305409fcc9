import { z } from 'zod';
import { choice, decimal, flag, fraction, integer, optionalText } from './values.ts';

/** What goes into a prompt, and what stays in core memory for it. */

export const core = () =>
  z
    .strictObject({
      max_tokens: integer(3000, 'Tokens MEMORY.md may hold.', { min: 100, max: 100_000 }),
      max_lines: integer(200, 'Lines MEMORY.md may hold; both caps apply.', { min: 10, max: 10_000 }),
      identity_tokens: integer(500, 'Part of the cap for who the user is.'),
      active_context_tokens: integer(1000, 'Part of the cap for what is going on now.'),
      persona_tokens: integer(500, 'Part of the cap for how to behave with this user.'),
      critical_facts_tokens: integer(1000, 'Part of the cap for what must never be forgotten.'),
      warn_share: fraction(0.9, 'Share of the cap from which a person’s edit gets a warning.'),
      refuse_share: decimal(1.1, 'Share of the cap above which a person’s edit is refused; machines stop at 1.', {
        min: 1,
        max: 10,
      }),
    })
    .prefault({})
    .describe('Core memory: MEMORY.md and its four blocks.');

export const context = () =>
  z
    .strictObject({
      preset: choice(['hook', 'dense', 'standard', 'large'], 'dense', 'Budget used when the caller names none.'),
      presets: z
        .strictObject({
          hook_tokens: integer(1500, 'Injected by an agent’s hook on every message.', { min: 100 }),
          dense_tokens: integer(8192, 'A whole prompt for small or expensive windows.', { min: 500 }),
          standard_tokens: integer(32_768, 'A whole prompt for ordinary windows.', { min: 1000 }),
          large_tokens: integer(200_000, 'A whole prompt divided by `context.shares`.', { min: 10_000 }),
        })
        .prefault({})
        .describe('Budgets by name.'),
      shares: z
        .strictObject({
          system: fraction(0.05, 'System prompt and identity (S2: 10,000 of 200,000).'),
          skills: fraction(0.075, 'Topics, procedures and skills (S2: 15,000).'),
          memory: fraction(0.25, 'Core, journal and recalled knowledge (S2: 50,000).'),
          history: fraction(0.375, 'The conversation so far (S2: 75,000).'),
          request: fraction(0.15, 'The request and what came with it (S2: 30,000).'),
          response: fraction(0.1, 'Kept free for the answer (S2: 20,000).'),
        })
        .prefault({})
        .describe('How the large preset is divided; S2’s token counts as shares, so that they fit any window.'),
      slots: z
        .strictObject({
          identity_max_tokens: integer(4352, 'Identity files together (S0: 17 KB, four bytes a token).'),
          core_max_tokens: integer(3000, 'Core memory (S0: 3 KB; raised to its cap, so that it always fits whole).'),
          journal_max_tokens: integer(1024, 'Journal of today and yesterday (S0: 4 KB).'),
          projects_max_tokens: integer(256, 'Active projects (S0: 1 KB).'),
          notices_max_tokens: integer(256, 'What waits for a person, at the start of a session.'),
          topic_max_tokens: integer(1536, 'Active topics with what they subscribe to (S0: 6 KB).'),
          procedures_max_tokens: integer(1024, 'Procedures and skills that the message calls for.'),
        })
        .prefault({})
        .describe('Most that one part may take in the presets other than large.'),
      floors: z
        .strictObject({
          memory: fraction(0.25, 'Share that recalled knowledge is sure of, however long core and journal are.'),
          history: fraction(0.05, 'Share that the conversation is sure of.'),
        })
        .prefault({})
        .describe('Shares of the prompt that parts before them cannot take away; identity can.'),
      response_tokens: integer(0, 'Kept free for the answer in the presets other than large.'),
      model: optionalText(
        'Model, or tokenizer, that counts: exact for OpenAI’s (gpt-5, o200k_base), estimated with a margin for others; null: a safe estimate.',
      ),
      min_relevance: fraction(
        0.65,
        'Chance that a message needs something remembered from which on a hook adds it; see docs/context.md.',
      ),
      journal_days: integer(2, 'Days of journal loaded at the start: 2 is today and yesterday.', { max: 31 }),
      recent_memories: integer(50, 'Latest memories looked at when a session starts without a question.', {
        max: 10_000,
      }),
      working_memory_tokens: integer(4000, 'Size of working memory: focus, active facts, scratchpad, task state.', {
        min: 100,
      }),
    })
    .prefault({})
    .describe('Compiling a prompt.');

export const compaction = () =>
  z
    .strictObject({
      flush: flag(true, 'Save what matters before a full window is compacted.'),
      reserve_tokens: integer(20_000, 'Tokens kept free at the end of the window.'),
      reserve_max_share: fraction(0.1, 'The reserve in small windows: at most this share of them.'),
      soft_tokens: integer(4000, 'Tokens before the reserve at which the flush begins.'),
      soft_max_share: fraction(0.02, 'The same in small windows: at most this share of them.'),
      keep_messages: integer(10, 'Last messages that are kept word for word.', { min: 1, max: 1000 }),
      window_tokens: integer(200_000, 'Size of the window where nobody says it.', { min: 1000 }),
      target_share: fraction(0.5, 'What a full window is compacted to, as a share of it.'),
    })
    .prefault({})
    .describe('What happens when the window is full.');
