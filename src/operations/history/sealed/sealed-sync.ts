import { MnemeError } from '../../../model/errors.ts';
import type { Git } from '../../../workspace/git/git.ts';
import type { OperationContext } from '../../context.ts';
import type { ChosenRemote } from '../remote-choice.ts';
import { SealedBox } from './box.ts';
import { allRecipients, getIdentities } from './key.ts';

/** The remote's name in the workspace's repository for the copy in the clear; its address is on this machine. */
const MIRROR = 'mneme-sealed';
/** Another machine that syncs at the same moment wins now and then; five times in a row means something else. */
const MAX_ATTEMPTS = 5;

/** Exchanges the memory with a remote that receives nothing but cipher text. */
export async function syncSealed<T>(
  context: OperationContext,
  git: Git,
  remote: ChosenRemote,
  exchange: (mirror: ChosenRemote) => Promise<T>,
  isPushing: boolean,
): Promise<T> {
  const url = await git.text(['remote', 'get-url', remote.name]);
  const box = await openBox(context, url);
  await addMirror(git, box.mirror.location.gitDir);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await box.receive();
    const result = await exchange({ ...remote, name: MIRROR });
    if (!isPushing || (await box.send(context.clock.now()))) return result;
  }
  throw overtaken(remote.name);
}

async function openBox(context: OperationContext, url: string): Promise<SealedBox> {
  const { branch } = context.config.git;
  const keys = { identities: getIdentities(context), recipients: await allRecipients(context) };
  return SealedBox.open({ state: context.workspace.paths.state, url, branch, ...keys });
}

/** Encrypts the content of the remote again, for the current recipients. */
export async function resealRemote(context: OperationContext, url: string): Promise<void> {
  const box = await openBox(context, url);
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    await box.receive();
    if (await box.reseal(context.clock.now())) return;
  }
  throw overtaken(url);
}

function overtaken(remote: string): MnemeError {
  return new MnemeError('locked', `Others kept writing to "${remote}" at the same moment.`, {
    hint: 'Try again; nothing is lost.',
  });
}

async function addMirror(git: Git, folder: string): Promise<void> {
  const known = await git.attempt(['remote', 'get-url', MIRROR]);
  if (known.code !== 0) await git.bytes(['remote', 'add', MIRROR, folder]);
  else if (known.stdout.toString('utf8').trim() !== folder) await git.bytes(['remote', 'set-url', MIRROR, folder]);
}
