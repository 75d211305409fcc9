import { MnemeError } from './errors.ts';

/** S4 §12.4's vocabulary, with the multi-agent and alert actions of §13.7 and §12.5. */
export const ACTIONS = [
  'CREATE',
  'EDIT',
  'APPEND',
  'DELETE',
  'ARCHIVE',
  'MERGE',
  'REVERT',
  'DECAY',
  'RENAME',
  'PROPOSE',
  'COMMIT',
  'REJECT',
  'ALERT',
] as const;
export type Action = (typeof ACTIONS)[number];

/**
 * The actor (S4 §12.3): `manual`, `external`, or `kind:name` such as `bot:trigger-remember`, `reflection:r-012`,
 * `system:decay`, `skill:NAME`, `subagent:NAME`, `bot:commit-from:NAME`.
 */
export type Actor = string;

const ACTOR_PATTERN =
  /^(?:manual|external|human(?::[\w.@-]+)?|(?:bot|reflection|system|skill|subagent|reader|main)(?::[\w.@-]+){1,3})$/;

export function parseActor(text: string): Actor {
  if (!ACTOR_PATTERN.test(text)) {
    throw new MnemeError('usage', `"${text}" is not an actor.`, {
      hint: 'Use manual, bot:NAME, reflection:ID, system:NAME, skill:NAME, subagent:NAME or reader:NAME.',
    });
  }
  return text;
}

export const ROLES = ['human', 'main', 'subagent', 'reader'] as const;
export type Role = (typeof ROLES)[number];

/** The rights of an actor: sub-agents propose, all other writers write as the main agent or a person. */
export function roleOf(actor: Actor): Role {
  if (actor === 'manual' || actor === 'external' || actor === 'human' || actor.startsWith('human:')) return 'human';
  if (actor.startsWith('subagent:')) return 'subagent';
  if (actor.startsWith('reader:')) return 'reader';
  return 'main';
}

/**
 * The actor of an interface that models call, such as MCP. Whatever token or option opened it, no person is at the other
 * end: a person's name becomes that of an agent, which writes as one and needs the user's turn as any other does.
 */
export function asAgent(actor: Actor): Actor {
  if (roleOf(actor) !== 'human') return actor;
  return actor.startsWith('human:') ? actor.replace('human:', 'bot:') : 'bot:main';
}

/** `researcher` for `subagent:researcher`; what an agent is called in settings and scopes. */
export function nameOfActor(actor: Actor): string {
  return actor.replace(/^[a-z]+:/u, '').replaceAll(':', '.');
}

export const APPROVALS = ['auto', 'approved', 'pending', 'rejected', '—'] as const;
export type Approval = (typeof APPROVALS)[number];

/** The actor, reason and source: the part of a mutation that becomes git trailers and the audit line. */
export interface Attribution {
  readonly actor: Actor;
  readonly approval?: Approval | undefined;
  readonly trigger?: string | undefined;
  readonly session?: string | undefined;
}
