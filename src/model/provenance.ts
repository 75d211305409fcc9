/** Where an item came from, how far it is trusted and who may see it: carried by every item through every derivation. */

export const SOURCES = ['user-explicit', 'conversation', 'auto', 'reflection', 'import', 'flush', 'inferred'] as const;
export type Source = (typeof SOURCES)[number];

/** From most to least trusted; what is derived has the lowest trust of its evidence. */
export const TRUST_LEVELS = ['user', 'agent', 'tool', 'import', 'external'] as const;
export type Trust = (typeof TRUST_LEVELS)[number];

export function lowestTrust(levels: readonly Trust[]): Trust {
  let lowest = 0;
  for (const level of levels) lowest = Math.max(lowest, TRUST_LEVELS.indexOf(level));
  return TRUST_LEVELS[lowest] ?? 'external';
}

export function isTrustedAtLeast(trust: Trust, floor: Trust): boolean {
  return TRUST_LEVELS.indexOf(trust) <= TRUST_LEVELS.indexOf(floor);
}

export const STORES = [
  'core',
  'episodic',
  'semantic',
  'procedural',
  'vault',
  'journal',
  'reference',
  'topic',
  'identity',
  'meta',
] as const;
export type Store = (typeof STORES)[number];

export const SCOPE_KINDS = ['user', 'project', 'channel', 'agent'] as const;
export type ScopeKind = (typeof SCOPE_KINDS)[number];

/** `shared`, or a private scope such as `project:apollo`; its files live under `memory/scopes/project--apollo/`. */
export type Scope = 'shared' | `${ScopeKind}:${string}`;

const SCOPE_PATTERN = /^(user|project|channel|agent):[a-z0-9][a-z0-9._-]{0,63}$/;

export function isScope(text: string): text is Scope {
  return text === 'shared' || SCOPE_PATTERN.test(text);
}

/** The folder a scope's tree lives under, relative to the workspace; '' for the shared tree. */
export function scopeFolder(scope: Scope): string {
  return scope === 'shared' ? '' : `memory/scopes/${scope.replace(':', '--')}/`;
}

/** Whether someone who works in `viewer` may see an item that belongs to `owner`. */
export function scopeCanSee(viewer: Scope, owner: Scope): boolean {
  return owner === 'shared' || owner === viewer;
}
