import { errorMessage } from '../../model/errors.ts';
import { findTip } from '../../workspace/git/checkout.ts';
import type { Git } from '../../workspace/git/git.ts';
import type { SyncDirection } from '../../workspace/git/sync.ts';
import type { OperationContext } from '../context.ts';
import type { KeptConflict } from './merge-rule.ts';

/** The result of a sync for one of the three repositories of a home, and what is still pending. */
export interface RepositoryExchange {
  readonly repository: 'workspace' | 'raw' | 'chain';
  /** Null where none is set: then it stays on this machine. */
  readonly remote: string | null;
  readonly came: number;
  readonly went: number;
  /** Commits waiting to be pushed and pulled (raw: files to be pulled). */
  readonly toPush: number;
  readonly toPull: number;
  readonly conflicts: readonly KeptConflict[];
  /** Why it could not be exchanged; the others were. */
  readonly problem: string | null;
}

const NOTHING = { came: 0, went: 0, toPush: 0, toPull: 0, conflicts: [], problem: null } as const;

/** Transcripts and chain, each with its own remote. */
export async function exchangeOthers(
  context: OperationContext,
  options: { readonly direction: SyncDirection; readonly withPrivateScopes: boolean },
): Promise<RepositoryExchange[]> {
  const { raw_remote: raw, chain_remote: chain } = context.config.git;
  return [
    await tryExchange('raw', raw, async (remote) => {
      const { exchangeTranscripts } = await import('./exchange-transcripts.ts');
      return exchangeTranscripts(context, remote, options);
    }),
    await tryExchange('chain', context.config.chain.enabled ? chain : null, async (remote) => {
      const { chainSync } = await import('../chain/sync.ts');
      const { others, linked } = await chainSync.run(context, { remote });
      const broken = others.filter(({ findings }) => findings.length > 0).map((other) => other.chain);
      const problem = broken.length === 0 ? null : `the chain of ${broken.join(', ')} is not whole: mneme chain verify`;
      return { ...NOTHING, came: linked.length, problem };
    }),
  ];
}

async function tryExchange(
  repository: RepositoryExchange['repository'],
  remote: string | null,
  body: (remote: string) => Promise<Partial<RepositoryExchange>>,
): Promise<RepositoryExchange> {
  if (remote === null) return { ...NOTHING, repository, remote };
  try {
    return { ...NOTHING, ...(await body(remote)), repository, remote };
  } catch (error) {
    // Local data stays here and goes out with the next sync; the memory itself has been exchanged.
    return { ...NOTHING, repository, remote, problem: errorMessage(error) };
  }
}

/** Commits that one side has and the other has not, as far as the remote was heard of. */
export async function countWaiting(
  git: Git,
  remote: string,
  branch: string,
): Promise<{ readonly toPush: number; readonly toPull: number }> {
  const ours = `refs/heads/${branch}`;
  const theirs = `refs/remotes/${remote}/${branch}`;
  if ((await findTip(git, theirs)) === undefined) {
    return { toPush: Number(await git.text(['rev-list', '--count', ours, '--'])), toPull: 0 };
  }
  const [toPush = '0', toPull = '0'] = (
    await git.text(['rev-list', '--count', '--left-right', `${ours}...${theirs}`, '--'])
  ).split('\t');
  return { toPush: Number(toPush), toPull: Number(toPull) };
}
