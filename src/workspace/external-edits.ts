import path from 'node:path';
import { FolderWatcher } from '../platform/folder-watcher.ts';
import type { Door } from './commit.ts';
import type { DoorContext } from './door/context.ts';
import type { Git } from './git/git.ts';
import { stampText } from './known-files.ts';

/** Editors write several times when saving; one look after the last of them is enough. */
const SETTLE_MS = 150;

/** Repositories, git's own and those inside, and installed packages: thousands of folders that nobody edits by hand. */
const UNWATCHED = /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/u;

/** Files that changed since the write path last saw them, by stamp alone: contents are compared under the lock. */
export async function findChangedFiles(context: DoorContext, door: Door, git: Git): Promise<string[]> {
  const root = context.paths.repositories.workspace.workTree;
  // Files in git's index as well: a person may have added one themselves and edited it since.
  const present = git.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  const known = door.known().all();
  const changed: string[] = [];
  for (const [relative, file] of known) {
    const stamp = context.fs.stamp(path.join(root, relative));
    if (stamp === undefined || file.stamp !== stampText(stamp)) changed.push(relative);
  }
  for (const relative of new Set(await present)) {
    // No stamp: a link, whose target is not ours to read, or a folder that is a repository of its own.
    if (!known.has(relative) && context.fs.stamp(path.join(root, relative)) !== undefined) changed.push(relative);
  }
  return changed;
}

/** Watches the workspace in a long-running process and hands settled changes on. */
export class ExternalWatcher {
  readonly #watcher: FolderWatcher;
  readonly #changed = new Set<string>();
  readonly #onSettled: (paths: readonly string[]) => void;
  #timer: NodeJS.Timeout | undefined;

  constructor(
    root: string,
    onSettled: (paths: readonly string[]) => void,
    onProblem: (message: string) => void,
    isIgnored: (relative: string) => boolean,
  ) {
    this.#onSettled = onSettled;
    this.#watcher = new FolderWatcher(root, {
      onChange: (relative) => {
        this.#changed.add(relative);
        this.#timer ??= setTimeout(() => this.#settle(), SETTLE_MS).unref();
      },
      onProblem,
      isIgnored: (relative) => isIgnored(relative) || UNWATCHED.test(relative),
    });
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#watcher.close();
  }

  #settle(): void {
    this.#timer = undefined;
    const paths = [...this.#changed];
    this.#changed.clear();
    this.#onSettled(paths);
  }
}
