import type { Config } from '../model/config/schema.ts';
import type { Tag } from './slots.ts';

export const PRESETS = ['hook', 'dense', 'standard', 'large'] as const;
export type Preset = (typeof PRESETS)[number];

/** The token limits of a context, as a whole and by part. */
export interface Limits {
  /** As the caller knows it: the window, or what is left of it. */
  readonly budget: number;
  /** The part reserved for the message itself and for the answer. */
  readonly request: number;
  readonly response: number;
  /** The tokens available to the prompt. */
  readonly room: number;
  readonly caps: Readonly<Record<Tag, number>>;
  /** The guaranteed room of each part, however much the parts before them could use. */
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

export function limitsFor({ context, core }: Pick<Config, 'context' | 'core'>, request: LimitsRequest): Limits {
  const budget = request.budget ?? presetTokens(context, request.preset);
  return request.preset === 'large' ? shareOut(budget, request) : capParts(budget, core.max_tokens, request);
}

/** For small or expensive windows, ordinary ones, and S2's 200,000; a caller may name any other number. */
const PRESET_TOKENS = { dense: 8192, standard: 32_768, large: 200_000 } as const;

function presetTokens({ presets }: Config['context'], preset: Preset): number {
  return preset === 'hook' ? presets.hook_tokens : PRESET_TOKENS[preset];
}

/**
 * The most that one part may take in the presets other than large: S0's sizes at four bytes a token (17 KB of identity, 4 KB
 * of journal, 1 KB of projects, 6 KB a topic). Core has the cap of MEMORY.md, so that it always fits whole.
 */
const SLOTS = { identity: 4352, journal: 1024, projects: 256, notices: 256, topic: 1536, procedures: 1024 };

/** S2's division of 200,000 tokens (10, 15, 50, 75, 30 and 20 thousand) as shares, so that it fits any window. */
const SHARES = { system: 0.05, skills: 0.075, memory: 0.25, history: 0.375, request: 0.15, response: 0.1 };

/** Room that earlier parts cannot take: otherwise a long core and journal would leave none for recalled knowledge. */
const FLOORS = { memory: 0.25, history: 0.05 };

/** Of the start of a session; the rest is for the recent days and what waits. */
const KNOWN_SHARE = 0.92;

/** Identity is never cut: its cap only warns. */
function capParts(budget: number, core: number, given: LimitsRequest): Limits {
  // Here the answer has a window of its own, unless the caller says otherwise.
  const response = given.response ?? 0;
  const room = Math.max(0, budget - given.request - response);
  return {
    budget,
    request: given.request,
    response,
    room,
    caps: {
      system: room,
      identity: SLOTS.identity,
      core,
      projects: SLOTS.projects,
      known: Math.floor(room * KNOWN_SHARE),
      recent: SLOTS.journal,
      notices: SLOTS.notices,
      topics: SLOTS.topic,
      subscriptions: SLOTS.topic,
      procedures: SLOTS.procedures,
      memory: room,
      history: room,
    },
    floors: floorsOf(room),
  };
}

/** S2 §6.1's six SHARES. A message longer than its share takes from the others. */
function shareOut(budget: number, given: LimitsRequest): Limits {
  const part = (share: number): number => Math.floor(budget * share);
  const request = Math.max(part(SHARES.request), given.request);
  const response = given.response ?? part(SHARES.response);
  const parts = part(SHARES.system) + part(SHARES.skills) + part(SHARES.memory) + part(SHARES.history);
  const room = Math.max(0, Math.min(parts, budget - request - response));
  const [skills, memory] = [part(SHARES.skills), part(SHARES.memory)];
  return {
    budget,
    request,
    response,
    room,
    caps: {
      system: part(SHARES.system),
      identity: part(SHARES.system),
      core: memory,
      projects: memory,
      known: memory,
      recent: memory,
      notices: memory,
      topics: skills,
      subscriptions: skills,
      procedures: skills,
      memory,
      history: part(SHARES.history),
    },
    floors: floorsOf(room),
  };
}

function floorsOf(room: number): Limits['floors'] {
  return { memory: Math.floor(room * FLOORS.memory), history: Math.floor(room * FLOORS.history) };
}
