import { MnemeError } from '../../../model/errors.ts';
import { parseActor, type Actor, type Role } from '../../../model/mutation.ts';
import { isScope, type Scope } from '../../../model/provenance.ts';
import type { ApiRole } from '../route.ts';

/** The client behind a request. */
export interface ApiClient {
  readonly name: string;
  readonly role: ApiRole;
  readonly actor: Actor;
  /** Set where a client is confined: it sees what is shared and what belongs to this scope. */
  readonly scope: Scope | undefined;
}

const ACTOR_KINDS: Readonly<Record<ApiRole, string>> = {
  owner: 'human',
  viewer: 'human',
  main: 'bot',
  proposer: 'subagent',
  reader: 'reader',
};

/** The roles as `server.tokens` calls them. */
export const ROLE_OF_SETTING: Readonly<Record<Role, ApiRole>> = {
  human: 'owner',
  main: 'main',
  subagent: 'proposer',
  reader: 'reader',
};

export function createClient(name: string, role: ApiRole, scope?: string): ApiClient {
  if (scope !== undefined && !isScope(scope)) {
    throw new MnemeError('usage', `"${scope}" is no scope.`, {
      hint: 'Use shared, or user:NAME, project:NAME, channel:NAME, agent:NAME.',
    });
  }
  const actor = parseActor(`${ACTOR_KINDS[role]}:${name.replaceAll(/[^\w.@-]+/gu, '-')}`);
  return { name, role, actor, scope };
}
