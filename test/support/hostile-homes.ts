import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { MANIFEST_FILE, parseManifest, serializeManifest } from '../../src/maintain/backup/manifest.ts';
import { readArchive } from '../../src/maintain/backup/tar/reader.ts';
import { ArchiveWriter } from '../../src/maintain/backup/tar/writer.ts';
import { PartStore } from '../../src/operations/backup/part-store.ts';
import { partsFolder } from '../../src/operations/backup/places.ts';
import { readPartsManifest, writePartsManifest } from '../../src/operations/backup/write-parts.ts';
import { UlidFactory } from '../../src/model/ids.ts';
import { systemClock } from '../../src/platform/clock.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { walkTree } from '../../src/platform/walk-tree.ts';
import { blobId } from '../../src/workspace/known-files.ts';
import { initRepository } from '../../src/workspace/git/repository.ts';
import { homePaths } from '../../src/workspace/home-paths.ts';
import { serializeRecord, type JournalRecord, type RepositoryName } from '../../src/workspace/journal/record.ts';
import { TestCli } from './cli.ts';
import { makeTemporaryFolder } from './home.ts';

/** A home inside a larger folder, with `outside.md` and `deep/outside.md` in it, which are none of the home's business. */
export interface Place {
  readonly folder: string;
  readonly home: string;
}

export interface HostileHomes {
  /** A copy of one home, as somebody would hand it on: without `state/`. */
  readonly copy: () => Place;
  /** Backups of that home. */
  readonly whole: string;
  readonly incremental: string;
}

export const OUTSIDE_FILES = ['outside.md', 'deep/outside.md'] as const;
const SENTINEL = 'outside of every home\n';

/** Makes the home and its backups once; each case copies them. */
export async function makeHostileHomes(): Promise<HostileHomes> {
  const cli = new TestCli();
  await cli.init();
  await cli.ok('append', 'notes.md', 'kept');
  await cli.ok('session', 'start', 'ses_old');
  for (const role of ['user', 'agent']) await cli.ok('session', 'message', 'ses_old', role, 'Hello.');
  await cli.ok('session', 'end', 'ses_old');
  const { chain } = homePaths(cli.home).repositories;
  await initRepository({ ...chain, kind: 'chain', branch: 'main' });
  const whole = await cli.json<{ file: string }>('backup', 'create');
  const incremental = await cli.json<{ file: string }>('backup', 'create', '--incremental');
  const copy = (): Place => {
    const folder = makeTemporaryFolder();
    const home = path.join(folder, 'home');
    const backups = path.join(cli.home, 'backups');
    const state = path.join(cli.home, 'state');
    fs.cpSync(cli.home, home, { recursive: true, filter: (source) => source !== state && source !== backups });
    for (const file of OUTSIDE_FILES) writeFile(path.join(folder, file), SENTINEL);
    return { folder, home };
  };
  return { copy, whole: whole.file, incremental: incremental.file };
}

export function writeFile(full: string, text: string): void {
  fs.mkdirSync(path.dirname(full), { recursive: true });
  fs.writeFileSync(full, text);
}

export interface PlantedFile {
  readonly repository?: RepositoryName | undefined;
  readonly path: string;
  /** Undefined for a deletion. */
  readonly text: string | undefined;
  /** Takes the place of what stands outside of the home, which is then a state that the journal knows. */
  readonly isReplacing?: boolean | undefined;
  /** For an append. */
  readonly offset?: number | undefined;
}

const ulids = new UlidFactory((length) => systemRandom.bytes(length));

/** Records with valid checksums, whatever they say. */
function serializeJournal(files: readonly PlantedFile[]): Buffer {
  let offset = 0;
  const frames = files.map(({ repository = 'workspace', path: name, text, isReplacing = false, offset: at }) => {
    const content = text === undefined ? undefined : Buffer.from(text);
    const after = content === undefined ? null : blobId(content);
    const nowMs = systemClock.now();
    const record: JournalRecord = {
      id: ulids.next(nowMs),
      timeMs: nowMs,
      repository,
      action: 'EDIT',
      summary: 'planted',
      actor: 'manual',
      approval: '—',
      files: [{ path: name, before: isReplacing ? blobId(Buffer.from(SENTINEL)) : null, after, offset: at }],
      contents: [content],
    };
    const frame = serializeRecord(record, offset);
    offset += frame.length;
    return frame;
  });
  return Buffer.concat(frames);
}

const PLANTED_SEGMENT = 'journal/wal/000000000900.wal';

/** Appends records to the journal of a home, behind everything that is there. */
export function plantJournal(home: string, files: readonly PlantedFile[]): void {
  fs.mkdirSync(path.join(home, 'journal/wal'), { recursive: true });
  fs.writeFileSync(path.join(home, PLANTED_SEGMENT), serializeJournal(files));
}

/** An archive like another, with other or more files in it; its list of contents and all hashes are right. */
export async function plantInArchive(
  source: string,
  target: string,
  files: Readonly<Record<string, Buffer>>,
): Promise<void> {
  const writer = ArchiveWriter.create(target, 1);
  const listed: { path: string; size: number; sha256: string }[] = [];
  const add = async (name: string, bytes: Buffer): Promise<void> => {
    listed.push(await writer.add({ path: name, size: bytes.length, mode: 0o600, mtimeMs: 0 }, bytes));
  };
  for await (const { path: name, content } of readArchive(source)) {
    const bytes = Buffer.concat(await Array.fromAsync(content));
    if (name !== MANIFEST_FILE) {
      if (!Object.hasOwn(files, name)) await add(name, bytes);
      continue;
    }
    for (const [more, its] of Object.entries(files)) await add(more, its);
    const manifest = Buffer.from(serializeManifest({ ...parseManifest(bytes.toString('utf8')), files: listed }));
    await writer.add({ path: name, size: manifest.length, mode: 0o600, mtimeMs: 0 }, manifest);
  }
  await writer.finish();
}

/** As `plantInArchive`, of an incremental backup; its parts are copied to beside `target`. */
export function plantInParts(source: string, target: string, files: Readonly<Record<string, Buffer>>): void {
  const manifest = readPartsManifest(source);
  const folder = partsFolder(path.dirname(target), manifest.homeId);
  fs.cpSync(partsFolder(path.dirname(source), manifest.homeId), folder, { recursive: true });
  const store = PartStore.open(folder);
  const planted = Object.entries(files).map(([name, bytes]) => {
    return { path: name, size: bytes.length, sha256: store.add(bytes), mode: 0o600, mtimeMs: 0, ctimeMs: 0 };
  });
  writePartsManifest(target, { ...manifest, files: [...manifest.files, ...planted] });
}

/** The file of a home's journal that `plantJournal` writes. */
export function journalFile(files: readonly PlantedFile[]): Record<string, Buffer> {
  return { [PLANTED_SEGMENT]: serializeJournal(files) };
}

/** Where a backup is restored to, beside the home. */
export function restoredHome({ folder }: Pick<Place, 'folder'>): string {
  return path.join(folder, 'restored');
}

/** Written by git itself, and the marks of the drain. */
const OF_GIT =
  /^(?:objects|refs|logs)\/|^(?:index|HEAD|ORIG_HEAD|FETCH_HEAD|COMMIT_EDITMSG|packed-refs|mneme-[\w.-]+)$/u;

/** Everything around a home, and in its git directories what git does not write by itself: by path, as a hash. */
export function fingerprint({ folder, home }: Place): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of walkTree(folder)) {
    const full = path.join(entry.parentPath, entry.name);
    const [, inGit] = /\/\.git\/(.*)$/u.exec(full) ?? [];
    const isWatched = inGit === undefined ? !full.startsWith(`${home}/`) : !OF_GIT.test(inGit);
    if (!isWatched || entry.isDirectory() || full.startsWith(`${restoredHome({ folder })}/`)) continue;
    const what = entry.isFile() ? hash('sha256', fs.readFileSync(full)) : `link to ${fs.readlinkSync(full)}`;
    found.set(path.relative(folder, full), `${what} ${fs.lstatSync(full).mode.toString(8)}`);
  }
  return found;
}

/** What differs between two fingerprints, in words; undefined when nothing does. */
export function findTouched(
  before: ReadonlyMap<string, string>,
  after: ReadonlyMap<string, string>,
): string | undefined {
  const touched = [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key));
  return touched.length === 0 ? undefined : `was touched: ${touched.sort().join(', ')}`;
}

/** Runs something on a copied home, and says what it touched that is not the home's. */
export async function attempt(
  homes: HostileHomes,
  prepare: (place: Place) => void | Promise<void>,
  run: (place: Place) => Promise<string | undefined>,
): Promise<string | undefined> {
  const place = homes.copy();
  await prepare(place);
  const before = fingerprint(place);
  const said = await run(place);
  return findTouched(before, fingerprint(place)) ?? said;
}
