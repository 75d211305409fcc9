import { isMutationId } from '../model/ids.ts';
import { readBlobs } from '../workspace/git/objects.ts';
import type { Git } from '../workspace/git/git.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import type { Workspace } from '../workspace/workspace.ts';

const BLOB_ID = /^[0-9a-f]{40}$/;

/** The texts of git blobs, as far as history still has them. */
export async function readBaseTexts(workspace: Workspace, blobs: Iterable<string>): Promise<Map<string, string>> {
  const wanted = [...new Set(blobs)].filter((blob) => BLOB_ID.test(blob));
  if (wanted.length === 0) return new Map();
  const git = workspace.git.workspace;
  const query = [['cat-file', '--batch-check'], { input: `${wanted.join('\n')}\n` }] as const;
  let present = parseListing((await git.attempt(...query)).stdout.toString('utf8'));
  if (present.length < wanted.length) {
    // Changes acknowledged within the last second are in the WAL and not in git yet.
    await workspace.drain();
    present = parseListing(await git.text(...query));
  }
  const texts = new Map<string, string>();
  for (const [blob, bytes] of await readBlobs(git, present)) {
    const decoded = decodeText(bytes);
    if (decoded.kind === 'text') texts.set(blob, decoded.text);
  }
  return texts;
}

function parseListing(listing: string): string[] {
  return listing.split('\n').flatMap((line) => {
    const [blob, type] = line.split(' ');
    return blob !== undefined && type === 'blob' ? [blob] : [];
  });
}

/** The mutation git recorded last; undefined in a history without any. */
export async function findNewestMutation(git: Git): Promise<string | undefined> {
  const log = await git.attempt(['log', '-1', '--grep=^Mutation: ', '--format=%(trailers:key=Mutation,valueonly)']);
  const mutations = log.stdout.toString('utf8').split('\n').filter(isMutationId);
  return mutations.at(-1);
}
