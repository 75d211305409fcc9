import fs from 'node:fs';
import path from 'node:path';
import { nodeFileSystem, type FileSystem, type SyncedFile } from '../../src/platform/fs.ts';
import type { SeededRandom } from '../support/seeded-random.ts';

/** Thrown by every operation after the power went off. */
export class PowerCut extends Error {}

/** What happens to names that were changed but not synced: the worst case, or a part of them as a journal keeps it. */
export type CutKind = 'strict' | 'partial';

/** One file's bytes, whatever its names. */
interface Inode {
  /** What is certain to be there after a power cut; undefined until the first sync. */
  durable: Buffer | undefined;
  live: Buffer;
  mtimeMs: number;
  durableMtimeMs: number;
}

/** A name that was set or removed and may not have reached the disk. */
interface NameChange {
  readonly folder: string;
  readonly name: string;
  readonly inode: Inode | 'folder' | undefined;
}

const BLOCK_BYTES = 4096;

/**
 * Real files, and beside them the knowledge of what a power cut would leave: content after `sync` of the file, names
 * after `syncDirectory` of their folder, everything after `syncTrees`. Git directories, which git writes itself, are
 * what they were at the last `syncTrees`; `state/` is lost.
 */
export class LossyFileSystem implements FileSystem {
  readonly #home: string;
  readonly #random: SeededRandom;
  /** Path relative to the home → what is there; folders are marked. */
  readonly #live = new Map<string, Inode | 'folder'>();
  readonly #durable = new Map<string, Inode | 'folder'>();
  readonly #gitCopies: string;
  #pending: NameChange[] = [];
  #operationsLeft = Number.POSITIVE_INFINITY;
  #isOff = false;

  constructor(home: string, random: SeededRandom) {
    this.#home = home;
    this.#random = random;
    this.#gitCopies = `${home}-git`;
    for (const entry of fs.readdirSync(home, { recursive: true, withFileTypes: true })) {
      const relative = path.relative(home, path.join(entry.parentPath, entry.name));
      if (isIgnored(relative)) continue;
      this.#live.set(relative, entry.isDirectory() ? 'folder' : readInode(path.join(home, relative)));
    }
    for (const [relative, node] of this.#live) this.#durable.set(relative, node);
    this.#copyGit();
  }

  /** Turns the power off in the middle of the n-th operation from now. */
  cutAfter(operations: number): void {
    this.#operationsLeft = operations;
  }

  get isOff(): boolean {
    return this.#isOff;
  }

  /** Writes what a power cut leaves into a new folder. */
  crash(target: string, kind: CutKind): void {
    this.#isOff = true;
    const kept = kind === 'strict' ? 0 : this.#random.integer(this.#pending.length + 1);
    for (const change of this.#pending.slice(0, kept)) this.#applyName(change);
    fs.mkdirSync(target, { recursive: true });
    // Parents come before their children, so that a file in a lost folder is lost with it.
    for (const relative of [...this.#durable.keys()].sort()) {
      const full = path.join(target, relative);
      if (!fs.existsSync(path.dirname(full))) continue;
      const node = this.#durable.get(relative);
      if (node === 'folder') fs.mkdirSync(full, { recursive: true });
      else if (node !== undefined) this.#materialise(node, full, kind);
    }
    fs.cpSync(this.#gitCopies, target, { recursive: true });
  }

  read(file: string): Buffer | undefined {
    this.#spend();
    return nodeFileSystem.read(file);
  }

  exists(target: string): boolean {
    return nodeFileSystem.exists(target);
  }

  stamp: FileSystem['stamp'] = (file) => nodeFileSystem.stamp(file);

  write(file: string, bytes: Uint8Array): void {
    this.#spend();
    nodeFileSystem.write(file, bytes);
    const present = this.#live.get(this.#relative(file));
    if (present !== undefined && present !== 'folder') {
      present.live = Buffer.from(bytes);
      present.mtimeMs = Date.now();
    } else this.#name(file, newInode(Buffer.from(bytes)));
  }

  append(file: string, bytes: Uint8Array): void {
    const opened = this.open(file);
    opened.write(bytes, opened.size());
    opened.close();
  }

  async rename(from: string, to: string): Promise<void> {
    this.#spend();
    await nodeFileSystem.rename(from, to);
    const node = this.#live.get(this.#relative(from));
    this.#name(to, node);
    this.#name(from, undefined);
  }

  link(from: string, to: string): boolean {
    this.#spend();
    const isLinked = nodeFileSystem.link(from, to);
    if (isLinked) this.#name(to, this.#live.get(this.#relative(from)));
    return isLinked;
  }

  copyMode(from: string, to: string): void {
    nodeFileSystem.copyMode(from, to);
  }

  discard(target: string): Promise<void> {
    this.remove(target);
    return Promise.resolve();
  }

  remove(target: string): void {
    this.#spend();
    nodeFileSystem.remove(target);
    const relative = this.#relative(target);
    for (const known of [...this.#live.keys()].sort().reverse()) {
      if (known === relative || known.startsWith(`${relative}/`)) this.#name(path.join(this.#home, known), undefined);
    }
  }

  makeDirectory(directory: string): void {
    this.#spend();
    nodeFileSystem.makeDirectory(directory);
    const parts = this.#relative(directory).split('/');
    for (let depth = 1; depth <= parts.length; depth += 1) {
      const folder = parts.slice(0, depth).join('/');
      if (folder !== '' && !this.#live.has(folder)) this.#name(path.join(this.#home, folder), 'folder');
    }
  }

  makeReadOnly(file: string): void {
    nodeFileSystem.makeReadOnly(file);
  }

  isWritable: FileSystem['isWritable'] = (directory) => nodeFileSystem.isWritable(directory);
  list: FileSystem['list'] = (directory) => nodeFileSystem.list(directory);
  listFiles: FileSystem['listFiles'] = (directory) => nodeFileSystem.listFiles(directory);

  open(file: string): SyncedFile {
    this.#spend();
    const relative = this.#relative(file);
    const present = this.#live.get(relative);
    const inode = present === undefined || present === 'folder' ? newInode(Buffer.alloc(0)) : present;
    const opened = nodeFileSystem.open(file);
    if (inode !== present) this.#name(file, inode);
    return new LossyFile(opened, inode, () => this.#spend());
  }

  syncDirectory(directory: string): void {
    this.#spend();
    const folder = this.#relative(directory);
    for (const change of this.#pending) if (change.folder === folder) this.#applyName(change);
    this.#pending = this.#pending.filter((change) => change.folder !== folder);
  }

  syncTrees(directories: readonly string[]): Promise<void> {
    this.#spend();
    const roots = directories.map((directory) => this.#relative(directory));
    const isBelow = (folder: string): boolean => roots.some((root) => folder === root || folder.startsWith(`${root}/`));
    for (const change of this.#pending) {
      if (isBelow(change.folder) || roots.includes(path.join(change.folder, change.name))) this.#applyName(change);
    }
    this.#pending = this.#pending.filter((change) => !isBelow(change.folder));
    for (const [relative, node] of this.#durable) {
      if (node !== 'folder' && isBelow(path.dirname(relative))) makeDurable(node, node.live);
    }
    this.#copyGit();
    return Promise.resolve();
  }

  #relative(full: string): string {
    return path.relative(this.#home, full);
  }

  #name(full: string, inode: Inode | 'folder' | undefined): void {
    const relative = this.#relative(full);
    if (isIgnored(relative) && inode === undefined) this.#live.delete(relative);
    else if (inode === undefined) this.#live.delete(relative);
    else this.#live.set(relative, inode);
    if (isIgnored(relative)) return;
    const folder = path.dirname(relative);
    this.#pending.push({ folder: folder === '.' ? '' : folder, name: path.basename(relative), inode });
  }

  #applyName({ folder, name, inode }: NameChange): void {
    const relative = path.join(folder, name);
    if (inode === undefined) this.#durable.delete(relative);
    else this.#durable.set(relative, inode);
  }

  #materialise(inode: Inode, full: string, kind: CutKind): void {
    const certain = inode.durable ?? Buffer.alloc(0);
    const isWhole = inode.durable !== undefined && inode.live.equals(certain);
    const bytes = isWhole || kind === 'strict' ? certain : this.#tear(certain, inode.live);
    fs.writeFileSync(full, bytes);
    const mtimeMs = isWhole ? inode.durableMtimeMs : inode.mtimeMs;
    fs.utimesSync(full, mtimeMs / 1000, mtimeMs / 1000);
  }

  /** Some of the unsynced bytes: a prefix, the same length in zeros, or all of them. */
  #tear(certain: Buffer, live: Buffer): Buffer {
    const fate = this.#random.pickWeighted({ none: 2, all: 2, torn: 3, zeros: 2, blocks: 2 });
    if (live.length <= certain.length || !live.subarray(0, certain.length).equals(certain)) {
      return fate === 'none' ? certain : live;
    }
    const added = live.subarray(certain.length);
    if (fate === 'none') return certain;
    if (fate === 'all') return live;
    if (fate === 'zeros') return Buffer.concat([certain, Buffer.alloc(added.length)]);
    // A journal's tail may end at any byte; a whole file that was never synced loses blocks.
    const isFresh = certain.length === 0;
    const cut = this.#random.integer(added.length + 1);
    const length = isFresh || fate === 'blocks' ? cut - (cut % BLOCK_BYTES) : cut;
    return Buffer.concat([certain, added.subarray(0, length)]);
  }

  #copyGit(): void {
    fs.rmSync(this.#gitCopies, { recursive: true, force: true });
    for (const repository of ['workspace', 'raw', 'chain']) {
      const from = path.join(this.#home, repository, '.git');
      if (fs.existsSync(from)) fs.cpSync(from, path.join(this.#gitCopies, repository, '.git'), { recursive: true });
    }
  }

  #spend(): void {
    if (this.#isOff) throw new PowerCut('the power is off');
    this.#operationsLeft -= 1;
    if (this.#operationsLeft > 0) return;
    this.#isOff = true;
    throw new PowerCut('the power went off');
  }
}

class LossyFile implements SyncedFile {
  readonly #file: SyncedFile;
  readonly #inode: Inode;
  readonly #spend: () => void;

  constructor(file: SyncedFile, inode: Inode, spend: () => void) {
    this.#file = file;
    this.#inode = inode;
    this.#spend = spend;
  }

  size(): number {
    return this.#file.size();
  }

  read(position: number, length: number): Buffer {
    return this.#file.read(position, length);
  }

  write(bytes: Uint8Array, position: number): void {
    // The bytes reach the cache before the power goes: how many of them the disk got is decided at the crash.
    this.#file.write(bytes, position);
    this.#refresh();
    this.#spend();
  }

  truncate(size: number): void {
    this.#spend();
    this.#file.truncate(size);
    this.#refresh();
  }

  sync(): Promise<void> {
    this.#spend();
    makeDurable(this.#inode, this.#inode.live);
    return Promise.resolve();
  }

  close(): void {
    this.#file.close();
  }

  #refresh(): void {
    this.#inode.live = this.#file.read(0, this.#file.size());
    this.#inode.mtimeMs = Date.now();
  }
}

function makeDurable(inode: Inode, bytes: Buffer): void {
  inode.durable = bytes;
  inode.durableMtimeMs = inode.mtimeMs;
}

function newInode(live: Buffer): Inode {
  return { durable: undefined, live, mtimeMs: Date.now(), durableMtimeMs: Date.now() };
}

function readInode(full: string): Inode {
  const live = fs.readFileSync(full);
  const { mtimeMs } = fs.statSync(full);
  return { durable: live, live, mtimeMs, durableMtimeMs: mtimeMs };
}

/** Not kept by this file system: what is dropped, and what git writes itself. */
function isIgnored(relative: string): boolean {
  return relative === 'state' || relative.startsWith('state/') || /(?:^|\/)\.git(?:\/|$)/.test(relative);
}
