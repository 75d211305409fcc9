import {
  parseFolderList,
  partsOfFiles,
  partsOfHistories,
  type PartsFile,
  type PartsFolder,
  type PartsManifest,
} from '../../maintain/backup/manifest.ts';
import { isMnemeError } from '../../model/errors.ts';
import type { PartStore } from './part-store.ts';
import type { KnownFile, KnownFolders } from './snapshot.ts';

/** The files of one folder of an incremental backup, with their whole paths. */
export function readFolderList(store: PartStore, { path, list }: PartsFolder): PartsFile[] {
  return parseFolderList(path, store.read(list).toString('utf8'));
}

/** Undefined when the list is missing or damaged. */
function findFolderList(store: PartStore, folder: PartsFolder): PartsFile[] | undefined {
  try {
    return readFolderList(store, folder);
  } catch (error) {
    if (isMnemeError(error)) return undefined;
    throw error;
  }
}

/** Every file of an incremental backup, whichever format its list has. */
export function readAllFiles(store: PartStore, { files, folders }: PartsManifest): PartsFile[] {
  return [...files, ...folders.flatMap((folder) => readFolderList(store, folder))];
}

/** Every part a backup needs. Lists that several backups share are read once when `seen` is handed on. */
export function partsOf(store: PartStore, manifest: PartsManifest, seen: Set<string>): Set<string> {
  const needed = new Set([...partsOfHistories(manifest).keys(), ...partsOfFiles(manifest.files).keys()]);
  for (const folder of manifest.folders) {
    needed.add(folder.list);
    if (seen.has(folder.list)) continue;
    seen.add(folder.list);
    // Nothing can be restored by a list that cannot be read, whatever is kept for it.
    for (const part of partsOfFiles(findFolderList(store, folder) ?? []).keys()) needed.add(part);
  }
  return needed;
}

/** The number of parts in a backup, and their total size; parts that are in it twice count twice. */
export function sizeOf({ folders, files, ...histories }: PartsManifest): {
  readonly files: number;
  readonly parts: number;
  readonly bytes: number;
} {
  const others = [...partsOfHistories(histories).values(), ...files.map(({ size }) => size)];
  return {
    files: files.length + folders.reduce((sum, { count }) => sum + count, 0),
    parts: others.length + folders.reduce((sum, { count }) => sum + count + 1, 0),
    bytes: others.reduce((sum, size) => sum + size, 0) + folders.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

/** The data of an earlier backup about its folders. */
export class EarlierFolders implements KnownFolders {
  /** Folders that could not be reused. */
  readonly notes: string[] = [];
  readonly #store: PartStore;
  readonly #folders: ReadonlyMap<string, PartsFolder>;

  constructor(store: PartStore, earlier: PartsManifest | undefined) {
    this.#store = store;
    const { folders = [], storeStamp } = earlier ?? {};
    // A changed stamp means that a process wrote to the parts: only then is it worth looking for each of them.
    const whole = store.stamp === storeStamp ? folders : folders.filter((folder) => this.#isThere(folder));
    this.#folders = new Map(whole.map((folder) => [folder.path, folder]));
  }

  find(path: string): PartsFolder | undefined {
    return this.#folders.get(path);
  }

  isUnchanged(path: string, stamp: string): boolean {
    return stamp !== '' && this.#folders.get(path)?.stamp === stamp;
  }

  /** Those whose parts are still there. */
  filesOf(path: string): ReadonlyMap<string, KnownFile> {
    const folder = this.#folders.get(path);
    const start = path === '' ? 0 : path.length + 1;
    const files = folder === undefined ? [] : this.#read(folder);
    const usable = files.filter((file) => file.ctimeMs !== 0 && this.#hasParts([file]));
    return new Map(usable.map((file) => [file.path.slice(start), file]));
  }

  #read(folder: PartsFolder): PartsFile[] {
    const files = findFolderList(this.#store, folder);
    if (files !== undefined) return files;
    this.#store.drop(folder.list);
    this.notes.push(`the list of ${folder.path} in the last backup was damaged and is made anew`);
    return [];
  }

  #isThere(folder: PartsFolder): boolean {
    return this.#store.has(folder.list) && this.#hasParts(this.#read(folder)) && this.#store.has(folder.list);
  }

  #hasParts(files: readonly PartsFile[]): boolean {
    return [...partsOfFiles(files).keys()].every((part) => this.#store.has(part));
  }
}
