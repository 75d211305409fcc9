import type { Config } from './schema.ts';

/** Something that has to hold between several settings. */
export interface ConfigRule {
  /** The settings that go back to their former values together when the rule is broken. */
  readonly keys: readonly string[];
  readonly says: string;
  readonly holds: (config: Config) => boolean;
}

/** Only contradictions that no reading of the single values could resolve; everything else is left to the user. */
export const CONFIG_RULES: readonly ConfigRule[] = [
  {
    keys: [
      'core.max_tokens',
      'core.identity_tokens',
      'core.active_context_tokens',
      'core.persona_tokens',
      'core.critical_facts_tokens',
    ],
    says: 'the four blocks of core must together fit core.max_tokens',
    holds: ({ core }) =>
      core.identity_tokens + core.active_context_tokens + core.persona_tokens + core.critical_facts_tokens <=
      core.max_tokens,
  },
];
