import type { Git } from '../../workspace/git/git.ts';
import { isSameStamp, type FoundFile } from './home-files.ts';
import { IGNORED, keyOf, type KnownStamp } from './stamp-table.ts';

/** Which of these workspace paths are not part of the memory. */
export type IgnoreCheck = (paths: readonly string[]) => Promise<ReadonlySet<string>>;

/** Asks git: what a person keeps out of history is not searched either. */
export function ignoredBy(git: Git): IgnoreCheck {
  return async (paths) => {
    const { stdout } = await git.attempt(['check-ignore', '-z', '--stdin'], { input: paths.join('\0') });
    return new Set(stdout.toString('utf8').split('\0'));
  };
}

export interface IgnoredFiles {
  readonly keys: ReadonlySet<string>;
  /** The ids to remember, so that git is asked once for every file. */
  readonly learned: readonly (FoundFile & { readonly oid: string })[];
}

export interface IgnoreInput {
  readonly found: readonly FoundFile[];
  readonly stamps: ReadonlyMap<string, KnownStamp>;
  /** The workspace's own list of what to ignore, when there is one. */
  readonly rules: FoundFile | undefined;
  readonly check: IgnoreCheck | undefined;
}

/** Files not seen before are asked for; all are, when the rules have changed. */
export async function findIgnored({ found, stamps, rules, check }: IgnoreInput): Promise<IgnoredFiles> {
  const keys = new Set<string>();
  if (check === undefined) return { keys, learned: [] };
  const hasNewRules = rules !== undefined && !isSameStamp(stamps.get(keyOf(rules)), rules);
  const doubtful: FoundFile[] = [];
  for (const file of found) {
    if (file.source !== 'workspace') continue;
    const known = stamps.get(keyOf(file));
    if (known === undefined || hasNewRules) doubtful.push(file);
    else if (known.oid === IGNORED) keys.add(keyOf(file));
  }
  const answer = doubtful.length === 0 ? new Set<string>() : await check(doubtful.map(({ path }) => path));
  const learned = doubtful.filter(({ path }) => answer.has(path));
  for (const file of learned) keys.add(keyOf(file));
  return { keys, learned: [...learned, ...(hasNewRules ? [rules] : [])].map(asIgnored) };
}

function asIgnored(file: FoundFile): FoundFile & { readonly oid: string } {
  return { ...file, oid: IGNORED };
}
