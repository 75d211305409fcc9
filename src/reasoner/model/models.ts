import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { MnemeError } from '../../model/errors.ts';
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

interface Prompt {
  readonly name: string;
  /** Part of what an answer is remembered by: a changed prompt asks anew. */
  readonly version: number;
  readonly text: string;
}

const loaded = new Map<Purpose, Prompt>();

export function readPrompt(purpose: Purpose): Prompt {
  let prompt = loaded.get(purpose);
  if (prompt === undefined) {
    prompt = parsePrompt(readFileSync(findPromptFile(purpose), 'utf8'), purpose);
    loaded.set(purpose, prompt);
  }
  return prompt;
}

/** `---`, name and version, `---`, and what the model is told. */
export function parsePrompt(text: string, purpose: Purpose): Prompt {
  const { head = '', body = '' } = /^---\n(?<head>[\s\S]*?)\n---\n(?<body>[\s\S]*)$/u.exec(text)?.groups ?? {};
  const name = /^name: (.+)$/mu.exec(head)?.[1];
  const version = Number(/^version: (\d+)$/mu.exec(head)?.[1]);
  if (name !== purpose || !Number.isInteger(version) || body.trim() === '') {
    throw new MnemeError('integrity', `The prompt for ${purpose} lacks its name, its version or its text.`, {
      hint: 'Install the package again.',
    });
  }
  return { name, version, text: body.trim() };
}

/** The folder stands above both this folder and the bundle's. */
function findPromptFile(purpose: Purpose): string {
  const name = `${purpose.replaceAll('_', '-')}.md`;
  const candidates = ['../assets/prompts/', '../../../assets/prompts/'].map((place) =>
    path.join(fileURLToPath(new URL(place, import.meta.url)), name),
  );
  const found = candidates.find((file) => existsSync(file));
  if (found !== undefined) return found;
  throw new MnemeError('not-found', `The prompt for ${purpose} is not in ${candidates.join(' or ')}.`, {
    hint: 'Install the package again, or set reasoner.provider to heuristic.',
  });
}
