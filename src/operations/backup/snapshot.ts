import fs from 'node:fs';
import path from 'node:path';
import { systemCode } from '../../model/errors.ts';
import { REPOSITORIES, type RepositoryName } from '../../workspace/journal/record.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { SettledFolders } from '../../platform/settled-folders.ts';
import { settledFoldersOf } from '../archive/settled.ts';
import { freezeRepository, type FrozenRepository } from './repositories.ts';

/** A file as it goes into the archive. */
export interface SnapshotFile {
  readonly path: string;
  readonly source: string;
  /** Where it begins in the source: copies stand one behind the other in one file. */
  readonly offset: number;
  /** How much of it belongs to the snapshot; transcripts are read where they are and may have grown since. */
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  /** Known from an earlier backup: it was neither copied nor read. */
  readonly sha256?: string | undefined;
  readonly pieces?: readonly string[] | undefined;
}

/** What an earlier backup knows of a file that has not changed since. */
export interface KnownFile {
  readonly size: number;
  readonly ctimeMs: number;
  readonly sha256: string;
  readonly pieces?: readonly string[] | undefined;
}

export interface Snapshot {
  readonly files: readonly SnapshotFile[];
  readonly repositories: readonly FrozenRepository[];
  /** What was left out and why. */
  readonly notes: readonly string[];
}

export interface SnapshotOptions {
  readonly folder: string;
  readonly hasTranscripts: boolean;
  /** By the path in the archive. */
  readonly known?: ReadonlyMap<string, KnownFile> | undefined;
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
    const collector = new Collector(options, settledFoldersOf(workspace));
    try {
      await collectFiles(workspace, collector, options);
    } finally {
      collector.close();
    }
    return { files: collector.files, repositories, notes: collector.notes };
  });
}

async function collectFiles(workspace: Workspace, collector: Collector, options: SnapshotOptions): Promise<void> {
  const { paths } = workspace;
  const root = paths.repositories.workspace.workTree;
  for (const relative of await listWorkspaceFiles(workspace)) {
    collector.copy(`workspace/${relative}`, path.join(root, relative));
  }
  for (const name of ['raw', 'chain'] as const) {
    if (isIncluded(name, options)) collector.note(name, paths.repositories[name].workTree);
  }
  collector.copy('mneme.yaml', paths.configFile);
  for (const relative of collector.list(paths.journal)) {
    collector.copy(`journal/${relative}`, path.join(paths.journal, relative));
  }
}

function isIncluded(name: RepositoryName, { hasTranscripts }: SnapshotOptions): boolean {
  return name !== 'raw' || hasTranscripts;
}

/** Everything in a workspace of our own; in an adopted folder, what git is not told to ignore. */
export async function listWorkspaceFiles({ paths, git, root }: Workspace): Promise<string[]> {
  const isAdopted = paths.repositories.workspace.gitDir !== path.join(root, '.git');
  if (!isAdopted) return listFiles(root).files;
  const listed = await git.workspace.fields(['ls-files', '-z', '--cached', '--others', '--exclude-standard']);
  return [...new Set(listed)].filter((relative) => !isPassedOver(relative)).sort();
}

/** Temporary files of the door, and repositories inside the workspace, which are somebody else's. */
function isPassedOver(relative: string): boolean {
  return relative.split('/').some(isPassedOverName);
}

function isPassedOverName(name: string): boolean {
  return name.startsWith('.') && (name.toLowerCase() === '.git' || name.startsWith('.mneme-'));
}

/** Whoever finds a backup must not be able to sign with it; the key has a backup of its own (`chain keys backup`). */
function isSigningKey(archived: string, relative: string): boolean {
  return archived === 'chain' && /^agent(?:\.next)?\.key(?:\.|$)/u.test(relative);
}

/**
 * Copies what changes in place or is replaced, and only notes what is merely added to. Everybody else's git waits
 * meanwhile, and making thousands of files takes many times as long as adding to one.
 */
class Collector {
  readonly files: SnapshotFile[] = [];
  readonly notes: string[] = [];
  readonly #copies: string;
  readonly #descriptor: number;
  readonly #known: ReadonlyMap<string, KnownFile>;
  #end = 0;

  readonly #settled: SettledFolders;

  constructor({ folder, known = new Map() }: SnapshotOptions, settled: SettledFolders) {
    this.#known = known;
    this.#settled = settled;
    this.#copies = path.join(folder, 'copies');
    this.#descriptor = fs.openSync(this.#copies, 'wx', 0o600);
  }

  close(): void {
    fs.closeSync(this.#descriptor);
  }

  list(root: string): string[] {
    const { files, links } = listFiles(root);
    for (const link of links) this.notes.push(`${path.join(root, link)} is a link and was left out`);
    return files;
  }

  copy(archived: string, source: string): void {
    try {
      const { isFile, ...found } = describe(source);
      if (!isFile || this.#addKnown(archived, source, found)) return;
      const { mode, mtimeMs, ctimeMs } = found;
      const bytes = fs.readFileSync(source);
      for (let done = 0; done < bytes.length;) {
        done += fs.writeSync(this.#descriptor, bytes, done, bytes.length - done, this.#end + done);
      }
      const place = { path: archived, source: this.#copies, offset: this.#end, size: bytes.length };
      this.files.push({ ...place, mode, mtimeMs, ctimeMs });
      this.#end += bytes.length;
    } catch (error) {
      // Deleted or renamed meanwhile: the journal says so.
      if (systemCode(error) !== 'ENOENT') throw error;
    }
  }

  note(archived: string, root: string): void {
    const { files, links, settled } = listFiles(root, this.#settled);
    for (const link of links) this.notes.push(`${path.join(root, link)} is a link and was left out`);
    for (const relative of files) {
      if (isSigningKey(archived, relative)) continue;
      const source = `${root}/${relative}`;
      const { isFile: _, ...found } = settled.get(relative) ?? describe(source);
      if (this.#addKnown(`${archived}/${relative}`, source, found)) continue;
      this.files.push({ path: `${archived}/${relative}`, source, offset: 0, ...found });
    }
  }

  /** Nothing but the kernel sets the time of the last change, so the same time and size are the same content. */
  #addKnown(archived: string, source: string, found: Omit<Described, 'isFile'>): boolean {
    const known = this.#known.get(archived);
    if (known === undefined || known.ctimeMs !== found.ctimeMs || known.size !== found.size) return false;
    this.files.push({ path: archived, source, offset: 0, ...found, sha256: known.sha256, pieces: known.pieces });
    return true;
  }
}

interface Described {
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly isFile: boolean;
}

function describe(source: string): Described {
  const { size, mode, mtimeMs, ctimeMs } = fs.lstatSync(source);
  return { size, mode: mode & 0o777, mtimeMs, ctimeMs, isFile: fs.constants.S_IFREG === (mode & fs.constants.S_IFMT) };
}

interface Listed {
  readonly files: string[];
  readonly links: string[];
  /** Those that need not be looked at one by one. */
  readonly settled: ReadonlyMap<string, Described>;
}

/** Every file below a folder, with forward slashes, in order. */
function listFiles(root: string, folders?: SettledFolders): Listed {
  const files: string[] = [];
  const links: string[] = [];
  const settled = new Map<string, Described>();
  const waiting = fs.existsSync(root) ? [''] : [];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const known = folders?.find(`${root}/${folder}`);
    for (const { name, inode: _, ...file } of known ?? []) {
      files.push(`${folder}${name}`);
      settled.set(`${folder}${name}`, { ...file, isFile: true });
    }
    if (known !== undefined) continue;
    for (const entry of fs.readdirSync(`${root}/${folder}`, { withFileTypes: true })) {
      if (isPassedOverName(entry.name)) continue;
      const relative = `${folder}${entry.name}`;
      if (entry.isFile()) files.push(relative);
      else if (entry.isDirectory()) waiting.push(`${relative}/`);
      else if (entry.isSymbolicLink()) links.push(relative);
    }
  }
  return { files: files.sort(), links: links.sort(), settled };
}
