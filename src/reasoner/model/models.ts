import type { LanguageProviderName } from '../../providers/language/port.ts';
import type { Purpose } from '../port.ts';

/** The part of the reasoner's settings that names models. */
export interface ModelConfig {
  readonly small_model: string | null;
  readonly large_model: string | null;
  readonly models: Readonly<Partial<Record<Purpose, string | null>>>;
}

type Size = 'small' | 'large';

const SIZES: Readonly<Record<Purpose, Size>> = {
  route: 'small',
  extract: 'small',
  flush: 'small',
  gate: 'small',
  slug: 'small',
  rerank: 'small',
  summarise: 'large',
  resolve_contradiction: 'large',
  infer: 'large',
  reflect: 'large',
  rewrite_core: 'large',
};

/** As of 2026-11: the cheapest of each provider's current models, and its usual one. */
const DEFAULTS: Readonly<Record<Exclude<LanguageProviderName, 'openai-compatible'>, Readonly<Record<Size, string>>>> = {
  anthropic: { small: 'claude-haiku-5-5', large: 'claude-sonnet-5-5' },
  openai: { small: 'gpt-6-luna', large: 'gpt-6.1-sol' },
  google: { small: 'gemini-3.5-flash-lite', large: 'gemini-3.8-flash' },
};

/** Undefined when nobody has said which model a service of one's own runs. */
export function modelFor(purpose: Purpose, provider: LanguageProviderName, config: ModelConfig): string | undefined {
  const own = config.models[purpose];
  if (own !== undefined && own !== null) return own;
  const { small_model: small, large_model: large } = config;
  const size = SIZES[purpose];
  const named = size === 'large' ? large : small;
  if (named !== null) return named;
  if (provider !== 'openai-compatible') return DEFAULTS[provider][size];
  // A server of one's own usually runs one model.
  return large ?? small ?? undefined;
}
