import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, systemCode } from '../model/errors.ts';
import { statOf } from './folder-tree.ts';

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
export class FolderScan {
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
