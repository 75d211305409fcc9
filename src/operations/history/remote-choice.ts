import { isMnemeError, MnemeError } from '../../model/errors.ts';
import type { Git } from '../../workspace/git/git.ts';
import { listRemotes, type RemoteAddress } from '../../workspace/git/remote.ts';
import type { OperationContext } from '../context.ts';

/** The remote Mneme sets up itself. */
const OWN_REMOTE = 'origin';

export interface ChosenRemote extends RemoteAddress {
  /** True when this call made or changed it. */
  readonly isNew: boolean;
}

/** The remote as it was before, for an address that turns out to be wrong. */
type PutBack = () => Promise<void>;

/** Uses a remote; an address that nobody answers at is forgotten again. */
export async function withRemote<T>(
  context: OperationContext,
  git: Git,
  asked: string | null,
  body: (remote: ChosenRemote) => Promise<T>,
): Promise<T> {
  const { remote, putBack } = await chooseRemote(context, git, asked);
  try {
    return await body(remote);
  } catch (error) {
    // Two histories that have nothing in common, or somebody who was quicker: that repository is there.
    const wasReached = isMnemeError(error, 'conflict') || isMnemeError(error, 'locked');
    if (!wasReached) await putBack?.();
    throw error;
  }
}

interface Choice {
  readonly remote: ChosenRemote;
  readonly putBack?: PutBack | undefined;
}

/**
 * Which remote to sync with: the one asked for by name; an address, which becomes the remote from then on; or the one
 * in mneme.yaml or in git.
 */
async function chooseRemote(context: OperationContext, git: Git, asked: string | null): Promise<Choice> {
  const remotes = await listRemotes(git);
  const named = remotes.find((remote) => remote.name === asked);
  if (named !== undefined) return { remote: { ...named, isNew: false } };
  const configured = context.config.git.remote;
  if (asked !== null && configured !== null && asked !== configured) {
    throw new MnemeError('usage', `mneme.yaml names another remote: ${configured}.`, {
      hint: `Change it there: \`mneme config set git.remote ${asked}\`; then \`mneme sync\`.`,
    });
  }
  const address = asked ?? configured;
  if (address !== null) return setRemote(git, remotes, address, context.config.git.branch);
  const existing =
    remotes.find((remote) => remote.name === OWN_REMOTE) ?? (remotes.length === 1 ? remotes[0] : undefined);
  if (existing !== undefined) return { remote: { ...existing, isNew: false } };
  throw new MnemeError('usage', 'There is no remote to sync with.', {
    hint:
      remotes.length === 0
        ? 'Name an empty git repository once: `mneme sync --remote ADDRESS`, or set git.remote in mneme.yaml.'
        : `Choose one: --remote ${remotes.map(({ name }) => name).join(' or --remote ')}.`,
  });
}

async function setRemote(
  git: Git,
  remotes: readonly RemoteAddress[],
  address: string,
  branch: string,
): Promise<Choice> {
  const own = remotes.some((remote) => remote.name === OWN_REMOTE);
  const present = own ? await git.text(['remote', 'get-url', OWN_REMOTE]) : undefined;
  const remote = { name: OWN_REMOTE, url: address };
  if (present === address) return { remote: { ...remote, isNew: false } };
  const tracking = `refs/remotes/${OWN_REMOTE}/${branch}`;
  const known = await git.attempt(['rev-parse', '--verify', '--quiet', tracking]);
  await git.bytes(['remote', ...(own ? ['set-url'] : ['add']), OWN_REMOTE, address]);
  // The tracking branch of the old address does not apply to the new one.
  await git.bytes(['update-ref', '-d', tracking]);
  const putBack = async (): Promise<void> => {
    if (present === undefined) return void (await git.bytes(['remote', 'remove', OWN_REMOTE]));
    await git.bytes(['remote', 'set-url', OWN_REMOTE, present]);
    if (known.code === 0) await git.bytes(['update-ref', tracking, known.stdout.toString('utf8').trim()]);
  };
  return { remote: { ...remote, isNew: true }, putBack };
}
