/** Who a commit or a tag is from, as git spells it. */
export interface Identity {
  readonly name: string;
  readonly email: string;
}

/** Mneme's own hand: what it writes names the real actor in the `Actor:` trailer. */
export const MNEME_IDENTITY: Identity = { name: 'Mneme', email: 'mneme@localhost' };

/** The environment that makes git write as `identity`, at a given time or by git's own clock. */
export function identityAt(identity: Identity, timeMs?: number): Record<string, string> {
  const date = timeMs === undefined ? undefined : `@${Math.floor(timeMs / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
    ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}
