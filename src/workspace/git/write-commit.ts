import { mkdtempSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Git } from './git.ts';
import { writeAs } from './identity.ts';
import { serializeIndexEdits, type IndexEdit } from './objects.ts';

export interface NewCommit {
  /** The first one's tree is what `edits` apply to. */
  readonly parents: readonly [string, ...string[]];
  readonly edits: readonly IndexEdit[];
  readonly message: string;
  readonly actor: string;
  readonly timeMs: number;
}

/** Made in an index of its own, so that neither the work tree nor a person's staged files are involved. */
export async function writeCommit(git: Git, { parents, edits, message, actor, timeMs }: NewCommit): Promise<string> {
  const folder = mkdtempSync(path.join(git.location.gitDir, 'mneme-commit-'));
  const env = { GIT_INDEX_FILE: path.join(folder, 'index') };
  try {
    await git.bytes(['read-tree', parents[0]], { env });
    await git.bytes(['update-index', '-z', '--index-info'], { env, input: serializeIndexEdits(edits) });
    const tree = await git.text(['write-tree'], { env });
    return await git.text(['commit-tree', tree, ...parents.flatMap((parent) => ['-p', parent])], {
      input: message,
      env: writeAs(git.identity, actor, timeMs),
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
