import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import {
  parsePartsManifest,
  PIECE_BYTES,
  serializeFolderList,
  serializePartsManifest,
  type PartsFile,
  type PartsFolder,
  type PartsManifest,
} from '../../maintain/backup/manifest.ts';
import { EarlierFolders, partsOf } from './folder-lists.ts';
import { storeHistory } from './packs.ts';
import type { PartStore } from './part-store.ts';
import { takeSnapshot, type SnapshotFile, type SnapshotFolder } from './snapshot.ts';
import { readPart, stopIfAsked, type ArchiveRequest } from './write-archive.ts';

export interface PartsRequest extends ArchiveRequest {
  readonly store: PartStore;
  /** The backup before, whose parts are made use of. */
  readonly earlier: PartsManifest | undefined;
}

export interface WrittenParts {
  readonly manifest: PartsManifest;
  readonly notes: readonly string[];
}

/** File systems tell times this exactly or better; what changed later than this before we began may change unseen. */
const UNSURE_MS = 2000;

/** Adds what is new in a home to the store, and writes the list of everything that belongs to this moment. */
export async function writeParts(request: PartsRequest): Promise<WrittenParts> {
  const { workspace, file, scratch, homeId, made, hasTranscripts, settled, store, earlier, signal, onProgress } =
    request;
  fs.writeFileSync(file, '', { mode: 0o600, flag: 'wx' });
  const beganMs = fs.statSync(file).ctimeMs;
  const known = new EarlierFolders(store, earlier);
  const { folders, repositories, notes } = await takeSnapshot(workspace, {
    folder: scratch,
    hasTranscripts,
    settled,
    known,
  });
  const listed: PartsFolder[] = [];
  for (const [index, folder] of folders.entries()) {
    stopIfAsked(signal);
    onProgress?.(`comparing ${index + 1} of ${folders.length} folders`);
    const before = folder.isKnown ? known.find(folder.path) : undefined;
    listed.push(before ?? storeFolder(store, folder, beganMs - UNSURE_MS));
  }
  const histories: PartsManifest['repositories'] = [];
  for (const repository of repositories) {
    stopIfAsked(signal);
    onProgress?.(`gathering the history of ${repository.name}`);
    const { name, head, references, remotes } = repository;
    const before = earlier?.repositories.find((one) => one.name === name);
    const { referenceList, packs } = await storeHistory(repository, before, { store, scratch });
    histories.push({ name, head, references, remotes, referenceList, packs: [...packs] });
  }
  const manifest: PartsManifest = {
    homeId,
    made,
    hasTranscripts,
    repositories: histories,
    folders: listed,
    files: [],
    restoredBytes: earlier?.restoredBytes ?? 0,
    storeStamp: store.stamp,
    addedParts: (earlier?.addedParts ?? 0) + store.added.length,
  };
  return { manifest, notes: [...notes, ...known.notes] };
}

/** Writes the list; its parts are on the disk by then. */
export function writePartsManifest(file: string, manifest: PartsManifest): void {
  fs.writeFileSync(file, serializePartsManifest(manifest), { mode: 0o600, flush: true });
}

export function readPartsManifest(file: string): PartsManifest {
  return parsePartsManifest(fs.readFileSync(file, 'utf8'));
}

/** Removes the parts that none of some backups needs. */
export function removeUnneeded(store: PartStore, folder: string, names: readonly string[]): number {
  const needed = new Set<string>();
  const seen = new Set<string>();
  for (const name of names) {
    for (const part of partsOf(store, readPartsManifest(path.join(folder, name)), seen)) needed.add(part);
  }
  return store.keepOnly(needed);
}

function storeFolder(store: PartStore, { path: folder, stamp, files }: SnapshotFolder, sureMs: number): PartsFolder {
  const start = folder === '' ? 0 : folder.length + 1;
  let isSure = true;
  const listed = files.map((one): PartsFile => {
    const { sha256, size, pieces } =
      one.sha256 === undefined ? storeFile(store, one) : { sha256: one.sha256, size: one.size, pieces: one.pieces };
    const isYoung = one.ctimeMs > sureMs;
    if (isYoung) isSure = false;
    const { mode, mtimeMs } = one;
    return { path: one.path.slice(start), size, sha256, mode, mtimeMs, ctimeMs: isYoung ? 0 : one.ctimeMs, pieces };
  });
  return {
    path: folder,
    stamp: isSure ? stamp : '',
    list: store.add(Buffer.from(serializeFolderList(listed), 'utf8')),
    count: listed.length,
    bytes: listed.reduce((sum, { size }) => sum + size, 0),
  };
}

interface StoredFile {
  readonly sha256: string;
  readonly size: number;
  readonly pieces: readonly string[] | undefined;
}

function storeFile(store: PartStore, one: SnapshotFile): StoredFile {
  if (one.size <= PIECE_BYTES) {
    const bytes = readPart(one);
    return { sha256: store.add(bytes), size: bytes.length, pieces: undefined };
  }
  const pieces: string[] = [];
  let size = 0;
  while (size < one.size) {
    const bytes = readPart({ ...one, offset: one.offset + size, size: Math.min(PIECE_BYTES, one.size - size) });
    // The file was truncated meanwhile; the list says what there was.
    if (bytes.length === 0) break;
    pieces.push(store.add(bytes));
    size += bytes.length;
  }
  return { sha256: hash('sha256', pieces.join('')), size, pieces };
}
