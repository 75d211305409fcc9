import fs from 'node:fs';
import path from 'node:path';
import { errorMessage } from '../model/errors.ts';
import { FolderScan } from './folder-scan.ts';
import { FolderTree } from './folder-tree.ts';

export interface FolderWatcherParts {
  /**
   * Hears of every path below the root that appeared, changed or went, relative and with forward slashes. It may hear
   * of one several times, of one that is as it was, and of folders: whoever listens compares.
   */
  readonly onChange: (relative: string) => void;
  /** Hears, in words, of whatever makes noticing slower or incomplete. */
  readonly onProblem: (message: string) => void;
  /** Asked about files, folders and, on some systems, what is below an ignored folder. */
  readonly isIgnored: (relative: string) => boolean;
  /** Whether the system reports on a whole tree by itself. */
  readonly isRecursive?: boolean | undefined;
  readonly maxFolders?: number | undefined;
  /** Between two looks, where looking replaces watching. */
  readonly scanPauseMs?: number | undefined;
}

/**
 * Node builds recursion itself on Linux, by watching each file: one that was replaced by a rename, as most editors and
 * the door save, is never heard of again. A watch on its folder goes on.
 */
const IS_RECURSIVE = process.platform !== 'linux' && process.platform !== 'android';

/** Half of the fewest that systems allow a user for all programs together (8,192 before Linux 5.11). */
const MAX_FOLDERS = 4096;

const SCAN_PAUSE_MS = 5000;

/** The greatest age of a change that was still unreported when watching ended. */
const UNTOLD_MS = 10_000;

/** Notices changes below a folder until it is closed, and never keeps a process alive. */
export class FolderWatcher {
  readonly #root: string;
  readonly #parts: FolderWatcherParts;
  #watching: { close(): void } | undefined;

  constructor(root: string, parts: FolderWatcherParts) {
    this.#root = root;
    this.#parts = parts;
    if (parts.isRecursive ?? IS_RECURSIVE) this.#watchRecursively();
    else this.#watchEachFolder(parts.maxFolders ?? MAX_FOLDERS);
  }

  close(): void {
    this.#watching?.close();
  }

  #watchEachFolder(maxFolders: number): void {
    const tree = new FolderTree(this.#root, { ...this.#parts, maxFolders }, (reason) => {
      const files = new Set(tree.files());
      tree.close();
      this.#scanInstead(reason, files);
    });
    this.#watching = tree;
    tree.open();
  }

  #watchRecursively(): void {
    try {
      const watcher = fs.watch(this.#root, { recursive: true, persistent: false }, (_event, name) => {
        if (name === null) this.#reportEverything();
        else this.#report(name);
      });
      watcher.on('error', (error) => {
        watcher.close();
        this.#scanInstead(errorMessage(error), undefined);
      });
      this.#watching = watcher;
    } catch (error) {
      this.#scanInstead(errorMessage(error), undefined);
    }
  }

  #report(name: string): void {
    const relative = name.split(path.sep).join('/');
    if (!this.#parts.isIgnored(relative)) this.#parts.onChange(relative);
  }

  /** Windows names nothing when more changed at once than it could keep. */
  #reportEverything(): void {
    try {
      for (const name of fs.readdirSync(this.#root, { recursive: true, encoding: 'utf8' })) this.#report(name);
    } catch (error) {
      this.#parts.onProblem(`Changes in ${this.#root} may have been missed: ${errorMessage(error)}.`);
    }
  }

  #scanInstead(reason: string, known: ReadonlySet<string> | undefined): void {
    this.#watching = new FolderScan(this.#root, {
      ...this.#parts,
      pauseMs: this.#parts.scanPauseMs ?? SCAN_PAUSE_MS,
      changedSinceMs: Date.now() - UNTOLD_MS,
      known,
    });
    this.#parts.onProblem(
      `${this.#root} cannot be watched (${reason}); it is looked through every few seconds instead, so that edits are noticed later.`,
    );
  }
}
