import path from 'node:path';
import { MnemeError, must } from '../model/errors.ts';
import { isMutationId } from '../model/ids.ts';
import type { FileSystem } from '../platform/fs.ts';
import { blobId } from '../workspace/known-files.ts';
import type { Git } from '../workspace/git/git.ts';
import { readBlobs } from '../workspace/git/objects.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { assertNoSymlinkEscape, parseWorkspacePath } from '../workspace/safety/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { makeDiff } from './diff-text.ts';
import { type Versions, applyChange, makeChange } from './patch.ts';
import type { ProposedChange } from './proposal.ts';
import type { ChangePreview } from './request.ts';

const BLOB_ID = /^[0-9a-f]{40}$/;

/** The texts of git blobs, as far as history still has them. */
async function readBaseTexts(workspace: Workspace, blobs: Iterable<string>): Promise<Map<string, string>> {
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

/** The texts that changes are made from and applied to. */
export class Texts {
  readonly #workspace: Workspace;
  readonly #fs: FileSystem;

  constructor(workspace: Workspace, fs: FileSystem) {
    this.#workspace = workspace;
    this.#fs = fs;
  }

  /** The file as it is now; undefined when there is none. */
  async current(relative: string): Promise<string | undefined> {
    const root = this.#workspace.paths.repositories.workspace.workTree;
    const target = parseWorkspacePath(relative);
    await assertNoSymlinkEscape(root, target);
    const bytes = this.#fs.read(path.join(root, target));
    if (bytes === undefined) return undefined;
    const decoded = decodeText(bytes);
    if (decoded.kind === 'text') return decoded.text;
    throw new MnemeError('refused', `${relative} is not a text file (${decoded.reason}).`, {
      hint: 'Only text can be shown as a diff; change the file directly.',
    });
  }

  /** The base and the present text of each change, by its number. */
  async versions(changes: readonly ProposedChange[]): Promise<Map<number, Versions>> {
    const present = new Map<number, Versions>();
    for (const change of changes) {
      const current = await this.current(change.path);
      const destination = change.renameTo === undefined ? undefined : await this.current(change.renameTo);
      const isBase = current !== undefined && blobId(Buffer.from(current, 'utf8')) === change.base;
      present.set(change.number, { base: isBase ? current : undefined, current, destination });
    }
    const lacking = changes.filter((change) => present.get(change.number)?.base === undefined);
    const blobs = lacking.flatMap((change) => (change.base === undefined ? [] : [change.base]));
    const bases = await readBaseTexts(this.#workspace, blobs);
    for (const change of lacking) {
      const versions = present.get(change.number) ?? { base: undefined, current: undefined };
      present.set(change.number, { ...versions, base: bases.get(change.base ?? '') });
    }
    return present;
  }
}

export function versionsOf(versions: ReadonlyMap<number, Versions>, change: ProposedChange): Versions {
  return must(versions.get(change.number), 'the text of a change');
}

/** Previews the effect of the change on the present file. */
export function previewChange(change: ProposedChange, versions: Versions): ChangePreview {
  const { number, action, path, renameTo } = change;
  const shown = { number, action, path, ...(renameTo === undefined ? {} : { renameTo }) };
  const application = applyChange(change, versions);
  if (application.kind === 'stale') return { ...shown, fit: 'stale', reason: application.reason, diff: '' };
  const diff = makeDiff({ path, text: versions.current }, { path: renameTo ?? path, text: application.after });
  return { ...shown, fit: application.fit, diff };
}

/** The change made anew from the present file; what is in it already stays as it was proposed. */
export function rebaseChange(id: string, change: ProposedChange, versions: Versions): ProposedChange {
  const application = applyChange(change, versions);
  if (versions.current === undefined && change.action === 'edit' && change.path.includes('/graph/entities/')) {
    throw new MnemeError('conflict', `Proposal ${id} cannot be rebased: ${change.path} was renamed or removed.`, {
      hint: 'Reject it and propose it again for the entity under its present name.',
    });
  }
  const outcome = application.kind === 'fits' ? application : application.offer;
  if (outcome === undefined) {
    const reason = application.kind === 'stale' ? application.reason : '';
    throw new MnemeError('conflict', `Proposal ${id} cannot be rebased: ${reason}.`, {
      hint: 'Edit its diff by hand, or reject it and propose it again.',
    });
  }
  if (outcome.after === versions.current && change.renameTo === undefined) return change;
  const { path, renameTo } = change;
  return makeChange(change.number, { path, before: versions.current, after: outcome.after, renameTo });
}
