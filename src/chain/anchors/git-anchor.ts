import { MnemeError } from '../../model/errors.ts';
import type { Git } from '../../workspace/git/git.ts';
import { type AnchorPlace, type HeldHead, parseHead, serializeHead } from './port.ts';

const HEAD_FILE = 'head.json';

/** Another machine that anchors at the same moment may come first. */
const MAX_TRIES = 4;

const TIMEOUT_MS = 60_000;

const IDENTITY = {
  GIT_AUTHOR_NAME: 'Mneme',
  GIT_AUTHOR_EMAIL: 'mneme@localhost',
  GIT_COMMITTER_NAME: 'Mneme',
  GIT_COMMITTER_EMAIL: 'mneme@localhost',
};

/**
 * A reference in a repository that somebody else keeps: each head is a commit on top of the last, so that the repository's
 * own history says in which order they came. Nothing of the chain but its heads goes there.
 */
export function createGitAnchor(git: Git, remote: string): AnchorPlace {
  return {
    kind: 'git',
    place: remote,
    async leave(head) {
      for (let tries = 1; ; tries += 1) {
        const parent = await fetchTip(git, remote, head.chain);
        const commit = await writeCommit(git, serializeHead(head), head.seq, parent);
        const pushed = await git.attempt(['push', '--quiet', '--', remote, `${commit}:${referenceOf(head.chain)}`], {
          timeoutMs: TIMEOUT_MS,
        });
        if (pushed.code === 0) return { receipt: commit };
        if (tries >= MAX_TRIES) throw unreachableRemote(remote, pushed.stderr);
      }
    },
    async recall(chain, receipts) {
      const tip = await fetchTip(git, remote, chain);
      if (tip === undefined) {
        const problems = receipts.length === 0 ? [] : [`${remote} no longer has any head of this chain`];
        return { heads: [], problems };
      }
      const lines = (await git.text(['log', '--format=%H %cI', tip])).split('\n');
      const heads: HeldHead[] = [];
      const problems: string[] = [];
      const commits = new Set<string>();
      for (const line of lines) {
        const [commit = '', time = ''] = line.split(' ');
        commits.add(commit);
        const found = await git.attempt(['cat-file', 'blob', `${commit}:${HEAD_FILE}`]);
        const head = parseHead(found.stdout.toString('utf8'));
        if (head?.chain === chain) heads.push({ ...head, heldSince: time });
        else problems.push(`commit ${commit} in ${remote} holds no head of this chain`);
      }
      const gone = receipts.filter(({ receipt }) => receipt !== null && !commits.has(receipt));
      problems.push(...gone.map(({ seq }) => `the head of entry ${seq} is no longer in ${remote}`));
      return { heads, problems };
    },
  };
}

function referenceOf(chain: string): string {
  return `refs/mneme/heads/${chain}`;
}

/** The last head that the remote has; undefined while it has none. */
async function fetchTip(git: Git, remote: string, chain: string): Promise<string | undefined> {
  const reference = referenceOf(chain);
  const listed = await git.attempt(['ls-remote', '--', remote, reference], { timeoutMs: TIMEOUT_MS });
  if (listed.code !== 0) throw unreachableRemote(remote, listed.stderr);
  const [hash = ''] = listed.stdout.toString('utf8').split('\t');
  if (hash === '') return undefined;
  await git.bytes(['fetch', '--quiet', '--no-tags', '--', remote, reference], { timeoutMs: TIMEOUT_MS });
  return hash;
}

async function writeCommit(git: Git, text: string, seq: number, parent: string | undefined): Promise<string> {
  const blob = await git.text(['hash-object', '-w', '--stdin'], { input: `${text}\n` });
  const tree = await git.text(['mktree'], { input: `100644 blob ${blob}\t${HEAD_FILE}\n` });
  const parents = parent === undefined ? [] : ['-p', parent];
  return git.text(['commit-tree', tree, ...parents, '-m', `head of entry ${seq}`], { env: IDENTITY });
}

function unreachableRemote(remote: string, said: string): MnemeError {
  const last = said.trim().split('\n').at(-1) ?? '';
  return new MnemeError('failure', `The repository ${remote} cannot be reached or written to: ${last}`, {
    hint: 'Look at the address (`mneme config get chain.anchor_remote`) and whether git may push there.',
  });
}
