import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../model/errors.ts';
import { sleep } from './clock.ts';
import { run } from './process.ts';
import { walkTree } from './walk-tree.ts';

/** Distinguishes states of a file without reading it. */
export interface FileStamp {
  readonly size: number;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
  readonly inode: bigint;
}

/** A file that is written at known positions and synced; the journal and the live sessions are such files. */
export interface SyncedFile {
  size(): number;
  read(position: number, length: number): Buffer;
  write(bytes: Uint8Array, position: number): void;
  truncate(size: number): void;
  /** Resolves when everything written so far survives a power cut. */
  sync(): Promise<void>;
  close(): void;
}

/**
 * The file operations the write path relies on, so that a test can replace them by a file system that forgets
 * everything not synced. Small operations are synchronous: a thread hop costs more than the call itself.
 */
export interface FileSystem {
  read(file: string): Buffer | undefined;
  exists(target: string): boolean;
  stamp(file: string): FileStamp | undefined;
  /** Creates or replaces a file in one go, unsynced; for temporary files behind the journal. */
  write(file: string, bytes: Uint8Array): void;
  /** Adds to the end of a file, whoever else does so at the same time; unsynced. */
  append(file: string, bytes: Uint8Array): void;
  rename(from: string, to: string): Promise<void>;
  /** False when there is nothing to link or where the file system cannot hard-link (another device, FAT …). */
  link(from: string, to: string): boolean;
  /** Removes a file, or a folder with everything in it. */
  remove(target: string): void;
  /** Removes a file or folder in the background: freeing its blocks may take longer than writing it did. */
  discard(target: string): Promise<void>;
  makeDirectory(directory: string): void;
  makeReadOnly(file: string): void;
  /** Gives a file the permissions of another, which may be stricter than the default. */
  copyMode(from: string, to: string): void;
  /** Whether names in a directory can be changed. */
  isWritable(directory: string): boolean;
  list(directory: string): string[];
  /** Every file below a directory, relative to it. */
  listFiles(directory: string): string[];
  open(file: string): SyncedFile;
  /** Makes a directory's entries durable. */
  syncDirectory(directory: string): void;
  /** Makes everything below the directories durable. */
  syncTrees(directories: readonly string[]): Promise<void>;
}

/** Virus scanners and indexers hold files open for moments on Windows; POSIX systems never need the retries. */
const RENAME_RETRY_CODES = new Set(['EPERM', 'EBUSY', 'EACCES']);
const RENAME_RETRY_LIMIT_MS = process.platform === 'win32' ? 5000 : 0;

async function renameWithRetries(from: string, to: string): Promise<void> {
  for (let waitedMs = 0, pauseMs = 10; ; waitedMs += pauseMs, pauseMs = Math.min(pauseMs * 2, 400)) {
    try {
      fs.renameSync(from, to);
      return;
    } catch (error) {
      if (!RENAME_RETRY_CODES.has(systemCode(error) ?? '') || waitedMs >= RENAME_RETRY_LIMIT_MS) throw error;
      await sleep(pauseMs);
    }
  }
}

const { O_APPEND, O_CREAT, O_RDWR, O_TRUNC, O_WRONLY } = fs.constants;

/** Windows has no such flag; links there need rights that few accounts have. */
const O_NOFOLLOW = (fs.constants as { O_NOFOLLOW?: number }).O_NOFOLLOW ?? 0;

/** Opens a file for writing, never through a link in its place: a home from elsewhere could hold one that leads out. */
function openOwn(file: string, flags: number, mode: number): number {
  try {
    return fs.openSync(file, flags | O_CREAT | O_NOFOLLOW, mode);
  } catch (error) {
    if (systemCode(error) !== 'ELOOP') throw error;
    throw new MnemeError('refused', `${file} is a link and is not written through.`, {
      hint: 'Replace the link by the file it leads to. Trust no home that you did not make.',
      cause: error,
    });
  }
}

function writeOwn(file: string, flags: number, mode: number, bytes: Uint8Array): void {
  const descriptor = openOwn(file, flags, mode);
  try {
    fs.writeFileSync(descriptor, bytes);
  } finally {
    fs.closeSync(descriptor);
  }
}

const OBSTRUCTED = new Set(['EEXIST', 'EISDIR', 'ENAMETOOLONG', 'ENOTDIR', 'ENOTEMPTY']);

/** Whether a file cannot stand at a path: another is there, also as a folder on the way, or the name is too long. */
export function isObstructed(error: unknown): boolean {
  return OBSTRUCTED.has(systemCode(error) ?? '');
}

/**
 * Replaces a small file in one step; readable by its owner only unless `mode` says otherwise. The temporary file beside
 * it is always a new one: a link of that name, in a folder from elsewhere, would lead the bytes to another file.
 */
export function replaceFile(
  file: string,
  content: string | Uint8Array,
  { mode = 0o600, flush = false }: { readonly mode?: number; readonly flush?: boolean } = {},
): void {
  const temporary = `${file}.${process.pid}.tmp`;
  fs.rmSync(temporary, { force: true });
  fs.writeFileSync(temporary, content, { mode, flag: 'wx', flush });
  fs.renameSync(temporary, file);
}

class NodeSyncedFile implements SyncedFile {
  readonly #descriptor: number;

  constructor(file: string) {
    this.#descriptor = openOwn(file, O_RDWR, 0o600);
  }

  size(): number {
    return fs.fstatSync(this.#descriptor).size;
  }

  read(position: number, length: number): Buffer {
    const buffer = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const count = fs.readSync(this.#descriptor, buffer, filled, length - filled, position + filled);
      if (count === 0) break;
      filled += count;
    }
    return buffer.subarray(0, filled);
  }

  write(bytes: Uint8Array, position: number): void {
    let written = 0;
    while (written < bytes.length) {
      written += fs.writeSync(this.#descriptor, bytes, written, bytes.length - written, position + written);
    }
  }

  truncate(size: number): void {
    fs.ftruncateSync(this.#descriptor, size);
  }

  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fs.fdatasync(this.#descriptor, (error) => {
        if (error === null) resolve();
        else reject(error);
      });
    });
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }
}

function lstat(file: string): fs.BigIntStats | undefined {
  try {
    return fs.lstatSync(file, { bigint: true, throwIfNoEntry: false });
  } catch (error) {
    // A file stands where a folder of the path was.
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw error;
  }
}

function syncPath(target: string): void {
  const descriptor = fs.openSync(target, fs.constants.O_RDONLY);
  try {
    fs.fsyncSync(descriptor);
  } finally {
    fs.closeSync(descriptor);
  }
}

function syncEachFile(directory: string): void {
  for (const entry of fs.readdirSync(directory, { withFileTypes: true })) {
    const full = path.join(directory, entry.name);
    if (entry.isDirectory()) syncEachFile(full);
    else if (entry.isFile()) syncPath(full);
  }
  syncPath(directory);
}

export const nodeFileSystem: FileSystem = {
  read(file) {
    try {
      return fs.readFileSync(file);
    } catch (error) {
      const code = systemCode(error);
      if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
      throw new MnemeError('failure', `${file} cannot be read (${code ?? 'unknown error'}).`, {
        hint: code === 'EISDIR' ? 'A folder stands where a file is expected.' : 'Check the permissions of the file.',
        cause: error,
      });
    }
  },

  exists: (target) => fs.existsSync(target),

  stamp(file) {
    const stat = lstat(file);
    if (stat === undefined || !stat.isFile()) return undefined;
    return { size: Number(stat.size), mtimeNs: stat.mtimeNs, ctimeNs: stat.ctimeNs, inode: stat.ino };
  },

  write(file, bytes) {
    writeOwn(file, O_WRONLY | O_TRUNC, 0o666, bytes);
  },

  append(file, bytes) {
    writeOwn(file, O_WRONLY | O_APPEND, 0o600, bytes);
  },

  rename: renameWithRetries,

  link(from, to) {
    try {
      fs.linkSync(from, to);
      return true;
    } catch (error) {
      // Whatever the reason, the caller can do without; only a missing target folder would be a mistake of ours.
      if (systemCode(error) === 'ENOENT' && !fs.existsSync(path.dirname(to))) throw error;
      return false;
    }
  },

  remove(target) {
    try {
      // Nearly always a file, and this is several times faster than the general way.
      fs.unlinkSync(target);
    } catch (error) {
      if (systemCode(error) !== 'ENOENT') fs.rmSync(target, { force: true, recursive: true });
    }
  },

  discard: (target) => fs.promises.rm(target, { force: true, recursive: true }),

  makeDirectory(directory) {
    fs.mkdirSync(directory, { recursive: true });
  },

  makeReadOnly(file) {
    fs.chmodSync(file, 0o444);
  },

  isWritable(directory) {
    try {
      fs.accessSync(directory, fs.constants.W_OK);
      return true;
    } catch (error) {
      // A missing path, or one that is not a folder, is not checked here.
      return !['EACCES', 'EPERM', 'EROFS'].includes(systemCode(error) ?? '');
    }
  },

  copyMode(from, to) {
    const mode = fs.statSync(from, { throwIfNoEntry: false })?.mode;
    if (mode !== undefined && mode !== fs.statSync(to).mode) fs.chmodSync(to, mode & 0o777);
  },

  list(directory) {
    try {
      return fs.readdirSync(directory);
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  },

  listFiles(directory) {
    try {
      const root = path.resolve(directory);
      const start = path.join(root, path.sep).length;
      return walkTree(root)
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => `${parentPath}${path.sep}${name}`.slice(start));
    } catch (error) {
      // Another process may have cleared it away meanwhile.
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  },

  open: (file) => new NodeSyncedFile(file),

  syncDirectory(directory) {
    // Windows cannot open a directory for syncing; its file systems journal the names themselves.
    if (process.platform !== 'win32') syncPath(directory);
  },

  async syncTrees(directories) {
    if (process.platform === 'linux') {
      // One syncfs instead of an fsync for each of thousands of files.
      const result = await run('sync', ['-f', ...directories]);
      if (result.code === 0) return;
    }
    for (const directory of directories) if (fs.existsSync(directory)) syncEachFile(directory);
  },
};
