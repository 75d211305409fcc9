import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { isRecordedPath, quotePath } from '../../workspace/safety/paths.ts';
import { REPOSITORIES, type RepositoryName } from '../../workspace/journal/record.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { SettledFolders, type SettledFile } from '../../platform/settled-folders.ts';
import { freezeRepository, type FrozenRepository } from './repositories.ts';

/** A file as it goes into the archive. */
export interface SnapshotFile {
  readonly path: string;
  readonly source: string;
  /** Where it begins in the source: copies stand one behind the other in one file. */
  readonly offset: number;
  /** The size that belongs to the snapshot; transcripts are read where they are and may have grown since. */
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Known from an earlier backup: it was neither copied nor read. */
  readonly sha256?: string | undefined;
  readonly pieces?: readonly string[] | undefined;
}

/** The record in an earlier backup of a file that has not changed since. */
export interface KnownFile {
  readonly size: number;
  readonly ctimeMs: number;
  readonly sha256: string;
  readonly pieces?: readonly string[] | undefined;
}

/** The files that stand directly in one folder. */
export interface SnapshotFolder {
  /** In the archive, without a slash at the end. */
  readonly path: string;
  /** Other whenever a file in it was added, removed or changed. */
  readonly stamp: string;
  /** Whether it is as an earlier backup knew it; its files are then left out here. */
  readonly isKnown: boolean;
  readonly files: readonly SnapshotFile[];
}

/** The records of an earlier backup. */
export interface KnownFolders {
  isUnchanged(folder: string, stamp: string): boolean;
  /** By the name within the folder. */
  filesOf(folder: string): ReadonlyMap<string, KnownFile>;
}

export interface Snapshot {
  readonly folders: readonly SnapshotFolder[];
  readonly repositories: readonly FrozenRepository[];
  /** The files left out, and why. */
  readonly notes: readonly string[];
}

export interface SnapshotOptions {
  readonly folder: string;
  readonly hasTranscripts: boolean;
  readonly known?: KnownFolders | undefined;
  /** Data about folders that a long-running process keeps from earlier runs. */
  readonly settled?: SettledFolders | undefined;
}

/**
 * The home at one moment, while others go on writing. Git stands still meanwhile, so the journal only grows: references
 * first, then the files, then the journal that knows everything the files may already show. Opening a restored home
 * rolls the journal forward, as after a crash.
 */
export function takeSnapshot(workspace: Workspace, options: SnapshotOptions): Promise<Snapshot> {
  return workspace.withoutDraining(async () => {
    const repositories: FrozenRepository[] = [];
    for (const name of REPOSITORIES.filter((one) => isIncluded(one, options))) {
      const frozen = await freezeRepository(name, workspace.git[name], path.join(options.folder, 'git'));
      if (frozen !== undefined) repositories.push(frozen);
    }
    const collector = new Collector(options, options.settled ?? new SettledFolders());
    try {
      await collectFiles(workspace, collector, options);
    } finally {
      collector.close();
    }
    return { folders: collector.folders, repositories, notes: collector.notes };
  });
}

async function collectFiles(workspace: Workspace, collector: Collector, options: SnapshotOptions): Promise<void> {
  const { paths, root } = workspace;
  const adopted = await listAdopted(workspace);
  if (adopted === undefined) collector.walk('workspace', root, 'copied');
  else collector.addListed('workspace', root, adopted);
  for (const name of ['raw', 'chain'] as const) {
    if (isIncluded(name, options)) collector.walk(name, paths.repositories[name].workTree, 'noted');
  }
  collector.addListed('', paths.home, [path.relative(paths.home, paths.configFile)]);
  collector.walk('journal', paths.journal, 'copied');
}

function isIncluded(name: RepositoryName, { hasTranscripts }: SnapshotOptions): boolean {
  return name !== 'raw' || hasTranscripts;
}

/** Every file of the workspace, with forward slashes, in order. */
export async function listWorkspaceFiles(workspace: Workspace): Promise<string[]> {
  const adopted = await listAdopted(workspace);
  if (adopted !== undefined) return adopted.sort();
  const files: string[] = [];
  const waiting = [''];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    for (const entry of fs.readdirSync(`${workspace.root}/${below}`, { withFileTypes: true })) {
      if (isPassedOverName(entry.name)) continue;
      if (entry.isFile()) files.push(`${below}${entry.name}`);
      else if (entry.isDirectory()) waiting.push(`${below}${entry.name}/`);
    }
  }
  return files.sort();
}

/** Lists the files that git does not ignore in an adopted folder; undefined for Mneme's own workspace, where everything counts. */
async function listAdopted({ paths, git, root }: Workspace): Promise<string[] | undefined> {
  if (paths.repositories.workspace.gitDir === path.join(root, '.git')) return undefined;
  const listed = await git.workspace.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return [...new Set(listed)].filter((relative) => !isPassedOver(relative));
}

/** Temporary files of the write path, and repositories inside the workspace, which are somebody else's. */
function isPassedOver(relative: string): boolean {
  return relative.split('/').some(isPassedOverName);
}

function isPassedOverName(name: string): boolean {
  return name.startsWith('.') && (name.toLowerCase() === '.git' || name.startsWith('.mneme-'));
}

/** Backups leave out the signing key, so that a finder cannot sign with it; `chain keys backup` backs it up separately. */
function isSigningKey(archived: string, relative: string): boolean {
  return archived === 'chain' && /^agent(?:\.next)?\.key(?:\.|$)/u.test(relative);
}

/** Where files are replaced or changed in place they are copied; where they are merely added to, they are read later. */
type Care = 'copied' | 'noted';

const NOTHING_KNOWN: KnownFolders = { isUnchanged: () => false, filesOf: () => new Map() };

/**
 * Copies what changes in place or is replaced, and only notes what is merely added to. Everybody else's git waits
 * meanwhile, and making thousands of files takes many times as long as adding to one.
 */
class Collector {
  readonly folders: SnapshotFolder[] = [];
  readonly notes: string[] = [];
  readonly #copies: string;
  readonly #descriptor: number;
  readonly #known: KnownFolders;
  readonly #settled: SettledFolders;
  #end = 0;

  constructor({ folder, known = NOTHING_KNOWN }: SnapshotOptions, settled: SettledFolders) {
    this.#known = known;
    this.#settled = settled;
    this.#copies = path.join(folder, 'copies');
    this.#descriptor = fs.openSync(this.#copies, 'wx', 0o600);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  /** Everything below a folder. */
  walk(archived: string, root: string, care: Care): void {
    const waiting = fs.existsSync(root) ? [''] : [];
    for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
      const [folder, source] = [`${archived}${below}`, `${root}${below}`];
      const settled = this.#settled.find(`${source}/`);
      if (settled !== undefined) {
        this.#add({ folder, source, care, stamp: stampOfSettled(settled), describe: () => settled });
        continue;
      }
      const names: string[] = [];
      for (const entry of fs.readdirSync(source, { withFileTypes: true })) {
        if (isPassedOverName(entry.name) || isSigningKey(folder, entry.name)) continue;
        if (!isRecordedPath(entry.name)) this.#leaveOut(`${source}/${entry.name}`);
        else if (entry.isFile()) names.push(entry.name);
        else if (entry.isDirectory()) waiting.push(`${below}/${entry.name}`);
        else if (entry.isSymbolicLink()) this.notes.push(`${source}/${entry.name} is a link and was left out`);
      }
      this.#addNames({ folder, source, care }, names);
    }
  }

  /** Files by their paths below a folder, with forward slashes. */
  addListed(archived: string, root: string, paths: readonly string[]): void {
    for (const relative of paths) if (!isRecordedPath(relative)) this.#leaveOut(`${root}/${relative}`);
    const restorable = paths.filter(isRecordedPath);
    for (const [below, names] of Map.groupBy(restorable, (relative) => path.posix.dirname(relative))) {
      const parts = [archived, below].filter((part) => part !== '' && part !== '.');
      const place = { folder: parts.join('/'), source: path.join(root, below), care: 'copied' as const };
      this.#addNames(
        place,
        names.map((relative) => path.posix.basename(relative)),
      );
    }
  }

  #leaveOut(full: string): void {
    this.notes.push(`${quotePath(full)} has a name that could not be restored and was left out`);
  }

  #addNames(place: Place, names: readonly string[]): void {
    const found = names.toSorted().flatMap((name) => describe(place.source, name) ?? []);
    if (found.length > 0) this.#add({ ...place, stamp: stampOf(found), describe: () => found });
  }

  #add({ folder, source, care, stamp, describe: describeAll }: Place & Stamped): void {
    if (this.#known.isUnchanged(folder, stamp)) {
      this.folders.push({ path: folder, stamp, isKnown: true, files: [] });
      return;
    }
    const earlier = this.#known.filesOf(folder);
    const files = describeAll().flatMap(({ name, size, mode, mtimeMs, ctimeMs }): readonly SnapshotFile[] => {
      const file = { path: folder === '' ? name : `${folder}/${name}`, offset: 0, size, mode, mtimeMs, ctimeMs };
      const known = earlier.get(name);
      // Nothing but the kernel sets the time of the last change, so the same time and size are the same content.
      const isSame = known !== undefined && known.ctimeMs === ctimeMs && known.size === size;
      if (isSame) return [{ ...file, source: `${source}/${name}`, sha256: known.sha256, pieces: known.pieces }];
      if (care === 'noted') return [{ ...file, source: `${source}/${name}` }];
      return this.#copy(file, `${source}/${name}`);
    });
    this.folders.push({ path: folder, stamp, isKnown: false, files });
  }

  #copy(file: Omit<SnapshotFile, 'source'>, source: string): readonly SnapshotFile[] {
    try {
      const bytes = fs.readFileSync(source);
      for (let done = 0; done < bytes.length;) {
        done += fs.writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#end + done);
      }
      const copied = { ...file, source: this.#copies, offset: this.#end, size: bytes.length };
      this.#end += bytes.length;
      return [copied];
    } catch (error) {
      // Deleted or renamed meanwhile: the journal says so.
      if (systemCode(error) === 'ENOENT') return [];
      throw error;
    }
  }
}

interface Place {
  /** In the archive. */
  readonly folder: string;
  readonly source: string;
  readonly care: Care;
}

interface Stamped {
  readonly stamp: string;
  readonly describe: () => readonly SettledFile[];
}

/** Undefined for what is gone meanwhile or is no file. */
function describe(folder: string, name: string): SettledFile | undefined {
  const stat = fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false });
  if (stat?.isFile() !== true) return undefined;
  const { size, mode, mtimeMs, ctimeMs, ino: inode } = stat;
  return { name, size, mode: mode & 0o777, mtimeMs, ctimeMs, inode };
}

function stampOf(files: readonly SettledFile[]): string {
  const lines = files.map(({ name, size, mode, mtimeMs, ctimeMs }) => [name, size, mode, mtimeMs, ctimeMs].join('/'));
  return hash('sha1', lines.join('\n'), 'base64url');
}

const settledStamps = new WeakMap<readonly SettledFile[], string>();

function stampOfSettled(files: readonly SettledFile[]): string {
  const stamp = settledStamps.get(files) ?? stampOf(files.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
  settledStamps.set(files, stamp);
  return stamp;
}
