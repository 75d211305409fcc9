import type { Config } from '../model/config/schema.ts';
import type { Tag } from './fence.ts';

export const PRESETS = ['hook', 'dense', 'standard', 'large'] as const;
export type Preset = (typeof PRESETS)[number];

/** What a briefing may cost, as a whole and by part. */
export interface Limits {
  /** As the caller knows it: the window, or what is left of it. */
  readonly budget: number;
  /** What the prompt may take of it. */
  readonly room: number;
  readonly caps: Readonly<Record<Tag, number>>;
}

export function limitsFor(context: Config['context'], preset: Preset, given: number | undefined): Limits {
  const budget = given ?? presetTokens(context, preset);
  return preset === 'large' ? shareOut(context, budget) : capParts(context, budget);
}

function presetTokens({ presets }: Config['context'], preset: Preset): number {
  const tokens = {
    hook: presets.hook_tokens,
    dense: presets.dense_tokens,
    standard: presets.standard_tokens,
    large: presets.large_tokens,
  };
  return tokens[preset];
}

/** Identity is never cut: its cap only warns. */
function capParts({ slots }: Config['context'], budget: number): Limits {
  return {
    budget,
    room: budget,
    caps: {
      identity: slots.identity_max_tokens,
      core: slots.core_max_tokens,
      recent: slots.journal_max_tokens,
      memory: budget,
      history: budget,
    },
  };
}

/** S2 §6.1: what is for skills, the request and the response stays free. */
function shareOut({ shares }: Config['context'], budget: number): Limits {
  const part = (share: number): number => Math.floor(budget * share);
  return {
    budget,
    room: part(shares.system + shares.memory + shares.history),
    caps: {
      identity: part(shares.system),
      core: part(shares.memory),
      recent: part(shares.memory),
      memory: part(shares.memory),
      history: part(shares.history),
    },
  };
}
