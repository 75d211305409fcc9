import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { isMnemeError, MnemeError } from '../../model/errors.ts';
import {
  assertEntryPath,
  MANIFEST_FILE,
  parseManifest,
  type BackedUpRepository,
  type BackupManifest,
  type PartsFile,
} from '../../maintain/backup/manifest.ts';
import { damaged } from '../../maintain/backup/tar/header.ts';
import { readArchive, type ReadEntry } from '../../maintain/backup/tar/reader.ts';
import { unsetConfigValue } from '../../workspace/config/change.ts';
import { isObstructed, nodeFileSystem } from '../../platform/fs.ts';
import { CONFIG_FILE, LAST_GOOD_FILE } from '../../workspace/config/file.ts';
import { readHome } from '../../workspace/home.ts';
import { Journal } from '../../workspace/journal/journal.ts';
import { REPOSITORIES } from '../../workspace/journal/record.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { formOf } from '../../workspace/erase/backup-archives.ts';
import type { GitLocation } from '../../workspace/git/git.ts';
import { openFile } from '../history/sealed/seal.ts';
import { readAllFiles } from './folder-lists.ts';
import { PartStore } from './part-store.ts';
import { partsFolder } from './places.ts';
import { restoreFromPacks, restoreRepository } from './repositories.ts';
import { readPartsManifest } from './write-parts.ts';

export interface UnpackControls {
  /** Keys that open a sealed one. */
  readonly identities?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface Unpacked {
  readonly manifest: BackupManifest;
  /** Differences between the restored home and the backup, and why. */
  readonly notes: readonly string[];
}

/**
 * Makes a home of an archive in an empty folder: every file compared with its hash, every history checked by git, what
 * the journal still held completed. Nothing outside the folder is touched: an archive may come from elsewhere, so every
 * path in it and in its journal is checked before it is followed.
 */
export async function unpackHome(archive: string, home: string, controls: UnpackControls = {}): Promise<Unpacked> {
  const form = formOf(path.basename(archive));
  if (form === 'parts') return unpackParts(archive, home, controls);
  return form === 'sealed' ? unpackSealed(archive, home, controls) : unpackWhole(archive, home, controls);
}

async function unpackSealed(archive: string, home: string, controls: UnpackControls): Promise<Unpacked> {
  const { identities = [] } = controls;
  if (identities.length === 0) {
    throw new MnemeError('usage', `${archive} is sealed, and there is no key here to open it.`, {
      hint: 'Name the file with the key: --key FILE. `mneme sync keys show` on the machine that made it says where it lies.',
    });
  }
  // Inside the folder it is unpacked into: others may see and write the one above, as with temporary files. No archive
  // holds a file of this name.
  const opened = path.join(home, 'opened.tar.gz');
  controls.onProgress?.('opening');
  try {
    await openFile(identities, archive, opened);
    return await unpackWhole(opened, home, controls);
  } finally {
    fs.rmSync(opened, { force: true });
  }
}

async function unpackWhole(archive: string, home: string, controls: UnpackControls): Promise<Unpacked> {
  const manifest = await unpackFiles(archive, home, controls);
  const notes = await prepareHome(home);
  await restoreHistories(home, manifest.repositories, controls, (saved, location, branch) =>
    restoreRepository(saved, path.join(home, 'git', `${saved.name}.bundle`), location, branch),
  );
  fs.rmSync(path.join(home, 'git'), { recursive: true, force: true });
  await complete(home);
  return { manifest, notes };
}

async function unpackParts(list: string, home: string, controls: UnpackControls): Promise<Unpacked> {
  const manifest = readPartsManifest(list);
  const store = PartStore.open(partsFolder(path.dirname(list), manifest.homeId));
  const files = readAllFiles(store, manifest);
  for (const file of files) assertEntryPath(file.path);
  for (const [index, file] of files.entries()) {
    if (controls.signal?.aborted === true) throw new MnemeError('failure', 'Stopped; nothing was changed.');
    controls.onProgress?.(`unpacking ${index + 1} of ${files.length} files`);
    await inPlace(file.path, () => unpackPart(store, file, path.join(home, file.path)));
  }
  const notes = await prepareHome(home);
  await restoreHistories(home, manifest.repositories, controls, (saved, location, branch) =>
    restoreFromPacks(saved, store, location, branch),
  );
  await complete(home);
  return { manifest: { ...manifest, files }, notes };
}

async function unpackPart(store: PartStore, file: PartsFile, target: string): Promise<void> {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  if ((await unpackOne(store, file, target)) !== file.size) throw damaged(`${file.path} has another size`);
  fs.utimesSync(target, file.mtimeMs / 1000, file.mtimeMs / 1000);
  fs.chmodSync(target, file.mode | 0o600);
}

/** Explains a file that cannot stand where the archive puts it: another is there, also as a folder on the way. */
async function inPlace<T>(name: string, unpack: () => Promise<T>): Promise<T> {
  try {
    return await unpack();
  } catch (error) {
    if (!isObstructed(error)) throw error;
    throw damaged(`${JSON.stringify(name)} cannot stand beside its other files`, error);
  }
}

async function unpackOne(store: PartStore, { sha256, pieces }: PartsFile, target: string): Promise<number> {
  if (pieces === undefined) return store.unpack(sha256, target);
  const descriptor = fs.openSync(target, 'wx', 0o600);
  try {
    return pieces.reduce((size, piece) => size + fs.writeSync(descriptor, store.read(piece)), 0);
  } finally {
    fs.closeSync(descriptor);
  }
}

async function restoreHistories<T extends BackedUpRepository>(
  home: string,
  all: readonly T[],
  { onProgress }: UnpackControls,
  restore: (saved: T, location: GitLocation, branch: string) => Promise<unknown>,
): Promise<void> {
  const { paths, config } = await readHome(home);
  for (const repository of REPOSITORIES) {
    const saved = all.find(({ name }) => name === repository);
    if (saved === undefined) continue;
    onProgress?.(`checking the history of ${repository}`);
    await restore(saved, paths.repositories[repository], config.git.branch);
  }
}

async function unpackFiles(
  archive: string,
  home: string,
  { signal, onProgress }: UnpackControls,
): Promise<BackupManifest> {
  const hashes = new Map<string, string>();
  let manifest: BackupManifest | undefined;
  for await (const entry of readArchive(archive)) {
    if (signal?.aborted === true) throw new MnemeError('failure', 'Stopped; nothing was changed.');
    if (manifest !== undefined) throw damaged('something follows its list of contents');
    assertEntryPath(entry.path);
    if (entry.path === MANIFEST_FILE) {
      manifest = parseManifest(await readText(entry));
      continue;
    }
    if (hashes.has(entry.path)) throw damaged(`${entry.path} is in it twice`);
    hashes.set(entry.path, await inPlace(entry.path, () => unpackFile(entry, path.join(home, entry.path))));
    onProgress?.(`unpacking ${hashes.size} files`);
  }
  if (manifest === undefined) throw damaged('it has no list of contents');
  compareHashes(manifest, hashes);
  return manifest;
}

function compareHashes({ files }: BackupManifest, hashes: ReadonlyMap<string, string>): void {
  for (const { path: name, sha256 } of files) {
    if (!hashes.has(name)) throw damaged(`${name} is missing`);
    if (hashes.get(name) !== sha256) throw damaged(`${name} is not what was backed up`);
  }
  if (hashes.size !== files.length) throw damaged('it holds files that its list of contents does not name');
}

async function unpackFile({ content, mode, mtimeMs }: ReadEntry, target: string): Promise<string> {
  fs.mkdirSync(path.dirname(target), { recursive: true });
  const sha256 = createHash('sha256');
  // Readable and writable for us whatever it was: the home must be able to work with it.
  const descriptor = fs.openSync(target, 'wx', mode | 0o600);
  try {
    for await (const piece of content) {
      sha256.update(piece);
      fs.writeSync(descriptor, piece);
    }
    fs.futimesSync(descriptor, mtimeMs / 1000, mtimeMs / 1000);
    fs.fchmodSync(descriptor, mode | 0o400);
  } finally {
    fs.closeSync(descriptor);
  }
  return sha256.digest('hex');
}

async function readText({ content }: ReadEntry): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

/** Makes the unpacked files a home that reaches nothing else, and looks through its journal before anything follows it. */
async function prepareHome(home: string): Promise<string[]> {
  const file = path.join(home, CONFIG_FILE);
  if (!fs.existsSync(file)) throw damaged(`${CONFIG_FILE} is missing`);
  // The last good settings count where the others cannot be read.
  const isChanged = [bringInside(file), bringInside(path.join(home, LAST_GOOD_FILE))].includes(true);
  const { paths } = await readHome(home);
  const { workTree, gitDir } = paths.repositories.workspace;
  if (workTree !== path.join(home, 'workspace') || gitDir !== path.join(workTree, '.git')) {
    throw damaged(`its settings place the workspace at ${workTree}, outside of it`);
  }
  checkJournal(paths.writeAhead);
  return isChanged
    ? ['The workspace was a folder of its own and is inside the restored home now (workspace.path).']
    : [];
}

/** An adopted folder is restored inside the home: whatever stands at its old place now is not ours to replace. */
function bringInside(file: string): boolean {
  const before = nodeFileSystem.read(file)?.toString('utf8');
  if (before === undefined) return false;
  let text = before;
  for (const key of ['workspace.path', 'workspace.git_dir']) text = unsetConfigValue(text, key);
  if (text !== before) fs.writeFileSync(file, text);
  return text !== before;
}

function checkJournal(folder: string): void {
  const journal = new Journal(folder, nodeFileSystem);
  try {
    for (const _entry of journal.read(journal.start()));
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    throw damaged(`its journal cannot be replayed. ${error.message.replace(/\.$/u, '')}`, error);
  } finally {
    journal.close();
  }
}

/** Rolls the journal forward and lets git follow, as the next opening would; fails here if that is not possible. */
async function complete(home: string): Promise<void> {
  const { paths, settings } = await readHome(home);
  if (settings.mode === 'read') return;
  const workspace = await Workspace.open(paths, settings);
  try {
    await workspace.scan();
    const { postponed } = await workspace.drain();
    if (postponed.length > 0) {
      throw new MnemeError('integrity', `Git cannot follow in the restored home: ${postponed.join('; ')}.`, {
        hint: 'Use another backup: `mneme backup list`.',
      });
    }
  } finally {
    await workspace.close();
  }
}
