/** The author of Mneme's commits: `git.author_name` and `git.author_email`. */
export interface CommitIdentity {
  readonly name: string;
  readonly email: string;
}

export const MNEME: CommitIdentity = { name: 'Mneme', email: 'mneme@localhost' };

/**
 * The environment in which git writes for `actor`, at a given time or by git's own clock. The author is the actor, so that
 * `git log` and blame tell who it was; the address is the committer's, so that a forge knows whose commits they are.
 */
export function writeAs({ name, email }: CommitIdentity, actor: string, timeMs?: number): Record<string, string> {
  const date = timeMs === undefined ? undefined : `@${Math.floor(timeMs / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: actor,
    GIT_AUTHOR_EMAIL: email,
    GIT_COMMITTER_NAME: name,
    GIT_COMMITTER_EMAIL: email,
    ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}
