/** DESIGN §11: from what is never left out to what slides. */
export const SLOTS = ['P0', 'P1', 'P2', 'P3', 'P4'] as const;
export type Slot = (typeof SLOTS)[number];

/**
 * The parts of a briefing, in the order they stand: what changes least comes first, so that a provider's prompt cache
 * holds as long as possible. Nothing quoted may open or close one of them.
 */
export const TAGS = [
  'system',
  'identity',
  'core',
  'projects',
  'known',
  'recent',
  'notices',
  'topics',
  'subscriptions',
  'procedures',
  'memory',
  'history',
] as const;
export type Tag = (typeof TAGS)[number];

export const SLOT_OF: Readonly<Record<Tag, Slot>> = {
  system: 'P0',
  identity: 'P0',
  core: 'P1',
  projects: 'P1',
  known: 'P1',
  recent: 'P1',
  notices: 'P1',
  topics: 'P2',
  subscriptions: 'P2',
  procedures: 'P2',
  memory: 'P3',
  history: 'P4',
};

/** As a receipt says it: "repeats the recent days". */
export const NAME_OF: Readonly<Record<Tag, string>> = {
  system: 'the system prompt',
  identity: 'an identity file',
  core: 'core',
  projects: 'the active projects',
  known: 'what is known',
  recent: 'the recent days',
  notices: 'a notice',
  topics: 'a topic',
  subscriptions: 'what a topic brings along',
  procedures: 'a procedure',
  memory: 'another memory',
  history: 'the conversation',
};

/** Where a provider's cache may be told to hold: what stands before changes with core memory, and with the day. */
export const LAST_BEFORE_BREAKPOINT: readonly Tag[] = ['core', 'recent'];
