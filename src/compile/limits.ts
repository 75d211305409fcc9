import type { Config } from '../model/config/schema.ts';
import type { Tag } from './slots.ts';

export const PRESETS = ['hook', 'dense', 'standard', 'large'] as const;
export type Preset = (typeof PRESETS)[number];

/** What a briefing may cost, as a whole and by part. */
export interface Limits {
  /** As the caller knows it: the window, or what is left of it. */
  readonly budget: number;
  /** What is set aside of it for the message itself and for the answer. */
  readonly request: number;
  readonly response: number;
  /** What the prompt may take. */
  readonly room: number;
  readonly caps: Readonly<Record<Tag, number>>;
  /** What parts are sure of, however much the parts before them could use. */
  readonly floors: { readonly memory: number; readonly history: number };
}

export interface LimitsRequest {
  readonly preset: Preset;
  /** Instead of the preset's. */
  readonly budget: number | undefined;
  /** Tokens of the message, where it has to fit into the same window. */
  readonly request: number;
  /** Tokens for the answer, instead of the settings'. */
  readonly response: number | undefined;
}

export function limitsFor(context: Config['context'], request: LimitsRequest): Limits {
  const budget = request.budget ?? presetTokens(context, request.preset);
  return request.preset === 'large' ? shareOut(context, budget, request) : capParts(context, budget, request);
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

/** Of the start of a session; the rest is for the recent days and what waits. */
const KNOWN_SHARE = 0.92;

/** Identity is never cut: its cap only warns. */
function capParts(context: Config['context'], budget: number, given: LimitsRequest): Limits {
  const { slots } = context;
  const response = given.response ?? context.response_tokens;
  const room = Math.max(0, budget - given.request - response);
  return {
    budget,
    request: given.request,
    response,
    room,
    caps: {
      system: room,
      identity: slots.identity_max_tokens,
      core: slots.core_max_tokens,
      projects: slots.projects_max_tokens,
      known: Math.floor(room * KNOWN_SHARE),
      recent: slots.journal_max_tokens,
      notices: slots.notices_max_tokens,
      topics: slots.topic_max_tokens,
      subscriptions: slots.topic_max_tokens,
      procedures: slots.procedures_max_tokens,
      memory: room,
      history: room,
    },
    floors: floorsOf(context, room),
  };
}

/** S2 §6.1's six shares. A message longer than its share takes from the others. */
function shareOut(context: Config['context'], budget: number, given: LimitsRequest): Limits {
  const { shares } = context;
  const part = (share: number): number => Math.floor(budget * share);
  const request = Math.max(part(shares.request), given.request);
  const response = given.response ?? part(shares.response);
  const parts = part(shares.system) + part(shares.skills) + part(shares.memory) + part(shares.history);
  const room = Math.max(0, Math.min(parts, budget - request - response));
  const [skills, memory] = [part(shares.skills), part(shares.memory)];
  return {
    budget,
    request,
    response,
    room,
    caps: {
      system: part(shares.system),
      identity: part(shares.system),
      core: memory,
      projects: memory,
      known: memory,
      recent: memory,
      notices: memory,
      topics: skills,
      subscriptions: skills,
      procedures: skills,
      memory,
      history: part(shares.history),
    },
    floors: floorsOf(context, room),
  };
}

function floorsOf({ floors }: Config['context'], room: number): Limits['floors'] {
  return { memory: Math.floor(room * floors.memory), history: Math.floor(room * floors.history) };
}
