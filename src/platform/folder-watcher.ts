import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, systemCode } from '../model/errors.ts';
import { FolderTree, statOf } from './folder-tree.ts';

interface FolderScanParts {
  readonly onChange: (relative: string) => void;
  readonly onProblem: (message: string) => void;
  readonly isIgnored: (relative: string) => boolean;
  readonly pauseMs: number;
  /** The first scan reports changes since then, … */
  readonly changedSinceMs: number;
  /** … and what came or went since these were all; undefined when nobody knows. */
  readonly known: ReadonlySet<string> | undefined;
}

interface Look {
  readonly stamps: Map<string, string>;
  /** Folders that could not be listed; what they held is not taken for gone. */
  readonly unseen: string[];
}

/** Looking may take this part of a processor's time: the pause is so many times as long as the look. */
const PAUSE_FACTOR = 20;

/** Looks through a folder again and again, by stamps alone; for where it cannot be watched. */
class FolderScan {
  readonly #root: string;
  readonly #parts: FolderScanParts;
  readonly #told = new Set<string>();
  #stamps: ReadonlyMap<string, string> | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(root: string, parts: FolderScanParts) {
    this.#root = root;
    this.#parts = parts;
    this.#lookAfter(0);
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #lookAfter(pauseMs: number): void {
    if (this.#isClosed) return;
    this.#timer = setTimeout(() => {
      const startedMs = performance.now();
      this.#lookAround()
        .catch((error: unknown) => this.#tellOnce(`${this.#root} cannot be looked through: ${errorMessage(error)}.`))
        .finally(() => this.#lookAfter(Math.max(this.#parts.pauseMs, PAUSE_FACTOR * (performance.now() - startedMs))));
    }, pauseMs).unref();
  }

  async #lookAround(): Promise<void> {
    const look: Look = { stamps: new Map(), unseen: [] };
    await this.#list('', look);
    if (this.#isClosed) return;
    const before = this.#stamps?.keys() ?? this.#parts.known ?? [];
    for (const relative of before) {
      if (look.stamps.has(relative)) continue;
      const isUnseen = look.unseen.some((folder) => folder === '' || relative.startsWith(`${folder}/`));
      if (!isUnseen) this.#parts.onChange(relative);
      else if (this.#stamps !== undefined) look.stamps.set(relative, this.#stamps.get(relative) ?? '');
    }
    // Until the root could be listed once there is nothing to compare with.
    if (this.#stamps !== undefined || !look.unseen.includes('')) this.#stamps = look.stamps;
  }

  async #list(folder: string, look: Look): Promise<void> {
    if (this.#isClosed) return;
    for (const entry of await this.#entriesOf(folder, look)) {
      const relative = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (this.#parts.isIgnored(relative)) continue;
      if (entry.isDirectory()) await this.#list(relative, look);
      else this.#compare(relative, look);
    }
  }

  async #entriesOf(folder: string, look: Look): Promise<fs.Dirent[]> {
    const full = path.join(this.#root, folder);
    try {
      return await fs.promises.readdir(full, { withFileTypes: true });
    } catch (error) {
      // A root that is gone says nothing about its files: a disk may have been taken out.
      if (folder !== '' && ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
      look.unseen.push(folder);
      this.#tellOnce(`Changes in ${full} are not noticed: ${errorMessage(error)}.`);
      return [];
    }
  }

  #compare(relative: string, look: Look): void {
    const stat = statOf(path.join(this.#root, relative));
    if (stat === undefined) return;
    // No content changes without the system noting when, and nobody can set that time.
    const stamp = `${stat.ctimeMs}:${stat.size}:${stat.ino}`;
    look.stamps.set(relative, stamp);
    const { known, changedSinceMs } = this.#parts;
    const isNews =
      this.#stamps === undefined
        ? stat.ctimeMs >= changedSinceMs || known?.has(relative) === false
        : this.#stamps.get(relative) !== stamp;
    if (isNews) this.#parts.onChange(relative);
  }

  /** A look repeats every few seconds; its trouble need not. */
  #tellOnce(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#parts.onProblem(message);
  }
}

export interface FolderWatcherParts {
  /**
   * Called with every path below the root that appeared, changed or went, relative and with forward slashes. It may hear
   * of one several times, of one that is as it was, and of folders: whoever listens compares.
   */
  readonly onChange: (relative: string) => void;
  /** Called with a message when noticing becomes slower or incomplete. */
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
 * the write path save, is never heard of again. A watch on its folder goes on.
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
