import { z } from 'zod';
import { choice, decimal, environmentName, flag, fraction, integer, optionalAddress, optionalText } from './values.ts';

/** What language models do, what they may cost, and the topics they help to choose. */

/** Every kind of work a language model can be asked for; each also has a deterministic answer without one. */
export const PURPOSES = [
  'gate',
  'route',
  'extract',
  'summarise',
  'rewrite_core',
  'resolve_contradiction',
  'verify',
  'infer',
  'expand_query',
  'rerank',
  'commit_message',
  'slug',
  'reflect',
  'flush',
] as const;

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

export const reasoner = () =>
  z
    .strictObject({
      provider: choice(
        ['heuristic', 'anthropic', 'openai', 'google', 'openai-compatible'],
        'heuristic',
        'Who does the work of judging and summarising; heuristic is local, free and needs no key.',
      ),
      base_url: optionalAddress('Address of the service for `openai-compatible`; null: the provider’s own.'),
      anthropic_api_key_env: environmentName('ANTHROPIC_API_KEY', 'Variable with the Anthropic key.'),
      openai_api_key_env: environmentName('OPENAI_API_KEY', 'Variable with the OpenAI key.'),
      google_api_key_env: environmentName('GEMINI_API_KEY', 'Variable with the Google key.'),
      compatible_api_key_env: environmentName('MNEME_LLM_API_KEY', 'Variable with the key for `openai-compatible`.'),
      small_model: optionalText('Model for short, frequent work; null: the provider’s cheapest.'),
      large_model: optionalText('Model for summaries and reflection; null: the provider’s usual one.'),
      models: z
        .strictObject({
          gate: optionalText('Whether a topic applies; null: the small model (S0: haiku).'),
          route: optionalText('Which store a memory belongs to; null: the small model.'),
          extract: optionalText('What a conversation taught; null: the small model.'),
          summarise: optionalText('Journals and roll-ups; null: the large model.'),
          rewrite_core: optionalText('Proposals for MEMORY.md; null: the large model.'),
          resolve_contradiction: optionalText('Which of two facts holds; null: the large model.'),
          verify: optionalText('Whether a fact is supported; null: the small model.'),
          infer: optionalText('New facts from known ones; null: the large model.'),
          expand_query: optionalText('Other words for a question; null: the small model.'),
          rerank: optionalText('Order of hits; null: the small model.'),
          commit_message: optionalText('Message of a batch commit; null: the small model (S0: haiku).'),
          slug: optionalText('Short names for files; null: the small model.'),
          reflect: optionalText('Reflection; null: the large model.'),
          flush: optionalText('What to save before a context is compacted; null: the small model.'),
        })
        .prefault({})
        .describe('A model for one purpose, where small and large are not right.'),
      timeout_ms: integer(30_000, 'Longest wait for one call; then the heuristic answers and says so.', {
        min: 100,
        max: 600_000,
      }),
      max_repairs: integer(1, 'Times an answer that does not fit its schema is sent back.', { max: 3 }),
      cache_days: integer(30, 'Days an answer to the same question is reused; 0: never.', { max: 3650 }),
      daily_max_calls: integer(500, 'Calls a day, all purposes together; past it the heuristic answers.'),
      daily_max_tokens: integer(1_000_000, 'Tokens a day, in and out together.'),
      daily_max_usd: decimal(1, 'US dollars a day by the price table.', { max: 100_000 }),
      purpose_daily_max_usd: z
        .partialRecord(z.enum(PURPOSES), z.number().min(0))
        .meta({ allowed: 'a table of purpose: US dollars' })
        .default({})
        .describe('A lower daily cap for single purposes, such as `reflect: 0.5`.'),
      prices_usd_per_million: z
        .record(z.string().min(1), price)
        .meta({ allowed: 'a table of model: {input: US dollars, output: US dollars}' })
        .default({})
        .describe('Prices per million tokens for models that the built-in table lacks or has wrong.'),
    })
    .prefault({})
    .describe('Language-model work. Keys come from the environment, never from this file.');

export const watchers = () =>
  z
    .strictObject({
      enabled: flag(true, 'Watch messages for topics.'),
      watch_input: flag(true, 'Watch what the user says.'),
      watch_output: flag(true, 'Watch what the agent says; matches become corrections on its next turn.'),
      similarity_threshold: fraction(0.15, 'Likeness a topic needs in tier 2; a topic can set its own.'),
      max_active: integer(5, 'Most topics active at once, by priority.', { min: 1, max: 100 }),
      stay_turns: integer(2, 'Messages a topic stays active after the one that called for it.', { max: 1000 }),
      stay_minutes: integer(120, 'Longest time it stays active without being called for again.', {
        min: 1,
        max: 100_000,
      }),
      rest_turns: integer(5, 'Messages in which a topic that was switched off by hand does not come back by itself.', {
        max: 1000,
      }),
    })
    .prefault({})
    .describe('Noticing when a topic applies.');

export const gate = () =>
  z
    .strictObject({
      enabled: flag(true, 'Confirm uncertain topics with a yes-or-no question; off: the bypass scores alone decide.'),
      max_tokens: integer(1, 'Length of the model’s answer.', { min: 1, max: 100 }),
      temperature: decimal(0, 'Randomness of the model’s answer.', { max: 2 }),
      timeout_ms: integer(2000, 'Longest wait; then the heuristic decides.', { min: 50, max: 60_000 }),
      cache_entries: integer(1000, 'Decisions remembered by message and topic.'),
      bypass: z
        .strictObject({
          high_min_score: fraction(0.3, 'Score from which a topic of high priority needs no question.'),
          medium_min_score: fraction(0.2, 'Score below which one of medium priority is dropped without a question.'),
          low_min_score: fraction(0.3, 'Score below which one of low priority is dropped without a question.'),
        })
        .prefault({})
        .describe('When the question is not worth asking.'),
    })
    .prefault({})
    .describe('The last check before a topic is loaded. Its model is `reasoner.models.gate`.');
