import { z } from 'zod';
import {
  choice,
  decimal,
  environmentName,
  flag,
  fraction,
  integer,
  LINE,
  optionalAddress,
  optionalText,
} from './values.ts';

/** Settings for language models, their cost, and whether messages are watched for topics. */

/** Every kind of work a language model can be asked for; each also has a deterministic answer without one. */
export const PURPOSES = [
  'gate',
  'route',
  'extract',
  'summarise',
  'rewrite_core',
  'resolve_contradiction',
  'infer',
  'reflect',
  'flush',
  'rerank',
] as const;

const price = z.strictObject({ input: z.number().min(0), output: z.number().min(0) });

export const reasoner = () =>
  z
    .strictObject({
      provider: choice(
        ['heuristic', 'anthropic', 'openai', 'google', 'openai-compatible'],
        'heuristic',
        'What judges and summarises; heuristic is local, free and needs no key.',
      ),
      base_url: optionalAddress('Address of the service for `openai-compatible`; null: the provider’s own.'),
      anthropic_api_key_env: environmentName('ANTHROPIC_API_KEY', 'Variable with the Anthropic key.'),
      openai_api_key_env: environmentName('OPENAI_API_KEY', 'Variable with the OpenAI key.'),
      google_api_key_env: environmentName('GEMINI_API_KEY', 'Variable with the Google key.'),
      compatible_api_key_env: environmentName('MNEME_LLM_API_KEY', 'Variable with the key for `openai-compatible`.'),
      small_model: optionalText('Model for short, frequent work; null: the provider’s cheapest.'),
      large_model: optionalText('Model for summaries and reflection; null: the provider’s usual one.'),
      models: z
        .partialRecord(z.enum(PURPOSES), LINE.nullable())
        .meta({ allowed: `a table of purpose: model, a purpose being one of ${PURPOSES.join(', ')}` })
        .default({})
        .describe('A model for one purpose, where small and large are not right, such as `reflect: claude-opus-5-5`.'),
      timeout_ms: integer(
        30_000,
        'Longest wait for one call, then the heuristic answers and says so; raise it for a slow local model.',
        {
          min: 100,
          max: 600_000,
        },
      ),
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
      enabled: flag(true, 'Watch messages for topics; off: no topic is loaded.'),
      similarity_threshold: fraction(
        0.15,
        'Likeness a topic needs where no trigger matched; a topic can set its own. Raise it if topics come uncalled.',
      ),
    })
    .prefault({})
    .describe('Noticing when a topic applies.');

export const gate = () =>
  z
    .strictObject({
      bypass: z
        .strictObject({
          high_min_score: fraction(
            0.3,
            'Score from which a topic of high priority needs no question; `mneme topics tune` says when to lower it.',
          ),
        })
        .prefault({})
        .describe('When the question is not worth asking.'),
    })
    .prefault({})
    .describe('The last check before a topic is loaded. Its model is `reasoner.models.gate`.');
