import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, systemCode } from '../model/errors.ts';

interface FolderTreeParts {
  readonly onChange: (relative: string) => void;
  readonly onProblem: (message: string) => void;
  readonly isIgnored: (relative: string) => boolean;
  readonly maxFolders: number;
}

/** The content of a folder at the last scan; removals with a moved folder are derived from this. */
interface Folder {
  readonly relative: string;
  /** Undefined once there are too many folders. */
  readonly watcher: fs.FSWatcher | undefined;
  readonly files: Set<string>;
  readonly folders: Map<string, Folder>;
}

/**
 * All watches of a process share one queue in the kernel. What does not fit (16,384 events, unless configured) is
 * dropped, and Node does not tell; so many at once mean that some may be missing. Half, because a queue may be smaller.
 */
const OVERFLOW_EVENTS = 8192;
const BURST_MS = 100;

/** The greatest age of a change whose event was dropped: as long as a process may be too busy to listen. */
const DROPPED_MS = 60_000;

const openTrees = new Set<FolderTree>();
let burstEvents = 0;
let burstTimer: NodeJS.Timeout | undefined;

function countEvent(): void {
  burstEvents += 1;
  burstTimer ??= setTimeout(() => {
    const mayLackSome = burstEvents >= OVERFLOW_EVENTS;
    burstEvents = 0;
    burstTimer = undefined;
    if (mayLackSome) for (const tree of openTrees) tree.startOver(Date.now() - DROPPED_MS);
  }, BURST_MS).unref();
}

/**
 * One watch for each folder below a root, kept in step as folders come and go. For Linux, where the watch of a folder
 * tells of every file in it.
 */
export class FolderTree {
  readonly #root: string;
  readonly #parts: FolderTreeParts;
  readonly #onLost: (reason: string) => void;
  #top: Folder | undefined;
  #watched = 0;
  /** Why not every folder can be watched. */
  #obstacle: string | undefined;

  /** `onLost` hears why the folders can no longer all be watched. */
  constructor(root: string, parts: FolderTreeParts, onLost: (reason: string) => void) {
    this.#root = root;
    this.#parts = parts;
    this.#onLost = onLost;
  }

  open(): void {
    openTrees.add(this);
    this.#top = this.#enter('', () => undefined);
    this.#obstacle ??= this.#top === undefined ? 'it cannot be found or read' : undefined;
    this.#tellObstacle();
  }

  close(): void {
    openTrees.delete(this);
    if (this.#top !== undefined) this.#leave(this.#top);
    this.#top = undefined;
  }

  /** Every file seen so far that is not known to be gone, relative to the root. */
  files(): string[] {
    return this.#top === undefined ? [] : [...filesBelow(this.#top)];
  }

  /** Watches everything anew and tells what came, went or changed since. */
  startOver(changedSinceMs: number): void {
    const before = new Set(this.files());
    if (this.#top !== undefined) this.#leave(this.#top);
    const present = new Set<string>();
    this.#top = this.#enter('', (relative) => {
      present.add(relative);
      const isNews = !before.has(relative) || this.#changedMs(relative) >= changedSinceMs;
      if (isNews) this.#parts.onChange(relative);
    });
    if (this.#top === undefined) this.#obstacle ??= 'it is gone';
    // A root that is gone says nothing about its files: a disk may have been taken out.
    else for (const relative of before) if (!present.has(relative)) this.#parts.onChange(relative);
    this.#tellObstacle();
  }

  #changedMs(relative: string): number {
    return statOf(path.join(this.#root, relative))?.ctimeMs ?? Infinity;
  }

  #handle(folder: Folder, event: string, name: string | null): void {
    countEvent();
    if (name === null) return this.startOver(Date.now() - DROPPED_MS);
    const relative = joined(folder.relative, name);
    if (this.#parts.isIgnored(relative)) return;
    try {
      if (event === 'change' && folder.files.has(name)) this.#parts.onChange(relative);
      else this.#lookAt(folder, name, event);
    } catch (error) {
      // An event handler has no caller: thrown on, a failing disk would end the process.
      this.#parts.onProblem(`${path.join(this.#root, relative)} cannot be looked at: ${errorMessage(error)}.`);
    }
    this.#tellObstacle();
  }

  #lookAt(folder: Folder, name: string, event: string): void {
    const relative = joined(folder.relative, name);
    const stat = statOf(path.join(this.#root, relative));
    if (stat?.isDirectory() === true) {
      // Its permissions, not its place.
      if (event === 'change' && folder.folders.has(name)) return;
      // Under the same name, and even the same inode number, it may be another folder than the one watched.
      this.#forget(folder, name);
      const found = this.#enter(relative, this.#parts.onChange);
      if (found !== undefined) folder.folders.set(name, found);
      return;
    }
    this.#forget(folder, name);
    if (stat !== undefined) folder.files.add(name);
    this.#parts.onChange(relative);
    // A folder reports its own end under its own name; the others' is told by the folder they are in.
    const isRootGone = stat === undefined && folder === this.#top && name === path.basename(this.#root);
    if (isRootGone) this.startOver(-Infinity);
  }

  /** Forgets and reports the file, or every file in the folder, that had this name. */
  #forget(folder: Folder, name: string): void {
    if (folder.files.delete(name)) this.#parts.onChange(joined(folder.relative, name));
    const former = folder.folders.get(name);
    if (former === undefined) return;
    folder.folders.delete(name);
    this.#leave(former);
    for (const relative of filesBelow(former)) this.#parts.onChange(relative);
  }

  #leave(folder: Folder): void {
    if (folder.watcher !== undefined) {
      folder.watcher.close();
      this.#watched -= 1;
    }
    for (const inner of folder.folders.values()) this.#leave(inner);
  }

  /** Watches a folder and everything below it. Undefined when it is gone again or closed to us. */
  #enter(relative: string, onFile: (relative: string) => void): Folder | undefined {
    const full = path.join(this.#root, relative);
    let folder: Folder | undefined;
    try {
      folder = { relative, watcher: this.#watch(full, () => folder), files: new Set(), folders: new Map() };
      // Watched first, then listed: what comes between the two is told twice, never not at all.
      for (const entry of fs.readdirSync(full, { withFileTypes: true })) this.#take(folder, entry, onFile);
      return folder;
    } catch (error) {
      if (folder !== undefined) this.#leave(folder);
      const isGone = ['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '');
      if (!isGone) this.#parts.onProblem(`Changes in ${full} are not noticed: ${errorMessage(error)}.`);
      return undefined;
    }
  }

  #take(folder: Folder, entry: fs.Dirent, onFile: (relative: string) => void): void {
    const relative = joined(folder.relative, entry.name);
    if (this.#parts.isIgnored(relative)) return;
    if (entry.isDirectory()) {
      const inner = this.#enter(relative, onFile);
      if (inner !== undefined) folder.folders.set(entry.name, inner);
    } else {
      folder.files.add(entry.name);
      onFile(relative);
    }
  }

  #watch(full: string, folder: () => Folder | undefined): fs.FSWatcher | undefined {
    const { maxFolders } = this.#parts;
    if (this.#watched >= maxFolders) this.#obstacle ??= `it has more than ${maxFolders} folders`;
    if (this.#obstacle !== undefined) return undefined;
    try {
      const watcher = fs.watch(full, { persistent: false }, (event, name) => {
        const target = folder();
        if (target !== undefined) this.#handle(target, event, name);
      });
      watcher.on('error', (error) => {
        this.#obstacle ??= errorMessage(error);
        this.#tellObstacle();
      });
      this.#watched += 1;
      return watcher;
    } catch (error) {
      if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
      // The system's limit of watches (ENOSPC) or of instances (EMFILE), or a system that has none.
      this.#obstacle = errorMessage(error);
      return undefined;
    }
  }

  #tellObstacle(): void {
    if (this.#obstacle !== undefined && openTrees.has(this)) this.#onLost(this.#obstacle);
  }
}

function joined(folder: string, name: string): string {
  return folder === '' ? name : `${folder}/${name}`;
}

function* filesBelow(folder: Folder): Generator<string> {
  for (const name of folder.files) yield joined(folder.relative, name);
  for (const inner of folder.folders.values()) yield* filesBelow(inner);
}

/** Undefined for what is not there or not to be seen. */
export function statOf(target: string): fs.Stats | undefined {
  try {
    return fs.lstatSync(target, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where a folder of the path was, or the folder was closed to us meanwhile.
    if (['ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return undefined;
    throw error;
  }
}
