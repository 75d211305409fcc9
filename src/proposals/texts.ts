import path from 'node:path';
import { MnemeError, must } from '../model/errors.ts';
import type { FileSystem } from '../platform/fs.ts';
import { blobId } from '../workspace/git/blob-id.ts';
import { decodeText } from '../workspace/safety/limits.ts';
import { assertNoSymlinkEscape, parseWorkspacePath } from '../workspace/safety/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { readBaseTexts } from './bases.ts';
import type { Versions } from './patch.ts';
import type { ProposedChange } from './proposal.ts';

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
