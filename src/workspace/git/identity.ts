/** Mneme commits everything it writes itself; the author is the actor, so that `git log` and blame tell who it was. */
const COMMITTER_NAME = 'Mneme';
const EMAIL = 'mneme@localhost';

/** The environment in which git writes for `actor`, at a given time or by git's own clock. */
export function writeAs(actor: string, timeMs?: number): Record<string, string> {
  const date = timeMs === undefined ? undefined : `@${Math.floor(timeMs / 1000)} +0000`;
  return {
    GIT_AUTHOR_NAME: actor,
    GIT_AUTHOR_EMAIL: EMAIL,
    GIT_COMMITTER_NAME: COMMITTER_NAME,
    GIT_COMMITTER_EMAIL: EMAIL,
    ...(date === undefined ? {} : { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date }),
  };
}
