import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { MANIFEST_FILE, serializeManifest, type BackupManifest } from '../../maintain/backup/manifest.ts';
import { ArchiveWriter, type WrittenEntry } from '../../maintain/backup/tar/writer.ts';
import type { SettledFolders } from '../../platform/settled-folders.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { writeBundle, type FrozenRepository } from './repositories.ts';
import { takeSnapshot, type SnapshotFile } from './snapshot.ts';

export interface ArchiveRequest {
  readonly workspace: Workspace;
  /** Where the archive is written; it must not exist. */
  readonly file: string;
  /** An empty folder for copies. */
  readonly scratch: string;
  readonly homeId: string;
  /** ISO time that the archive is said to be of. */
  readonly made: string;
  readonly hasTranscripts: boolean;
  /** Data about folders that a long-running process keeps from earlier runs. */
  readonly settled?: SettledFolders | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((text: string) => void) | undefined;
}

export interface WrittenArchive {
  readonly manifest: BackupManifest;
  readonly notes: readonly string[];
}

/** Larger files are read piece by piece. */
const WHOLE_FILE_BYTES = 8 * 1024 * 1024;

/** Writes a home as it is at this moment into one file. */
export async function writeArchive(request: ArchiveRequest): Promise<WrittenArchive> {
  const { workspace, file, scratch, homeId, made, hasTranscripts, settled, signal, onProgress } = request;
  const { folders, repositories, notes } = await takeSnapshot(workspace, { folder: scratch, hasTranscripts, settled });
  const bundles = await writeBundles(repositories, scratch, request);
  const writer = ArchiveWriter.create(file);
  try {
    const written: WrittenEntry[] = [];
    const all = [...folders.flatMap(({ files }) => files), ...bundles];
    for (const [index, one] of all.entries()) {
      stopIfAsked(signal);
      onProgress?.(`packing ${index + 1} of ${all.length} files`);
      written.push(await addFile(writer, one));
    }
    const manifest: BackupManifest = {
      homeId,
      made,
      hasTranscripts,
      repositories: repositories.map(({ name, head, references, remotes }) => ({ name, head, references, remotes })),
      files: written.map(({ path, size, sha256 }) => ({ path, size, sha256 })),
    };
    const text = Buffer.from(serializeManifest(manifest), 'utf8');
    const mtimeMs = Date.parse(made);
    await writer.add({ path: MANIFEST_FILE, size: text.length, mode: 0o600, mtimeMs }, text);
    await writer.finish();
    return { manifest, notes };
  } catch (error) {
    await writer.abandon();
    fs.rmSync(file, { force: true });
    throw error;
  }
}

async function writeBundles(
  repositories: readonly FrozenRepository[],
  scratch: string,
  { signal, onProgress }: ArchiveRequest,
): Promise<SnapshotFile[]> {
  const bundles: SnapshotFile[] = [];
  for (const repository of repositories) {
    stopIfAsked(signal);
    onProgress?.(`gathering the history of ${repository.name}`);
    const source = await writeBundle(repository, path.join(scratch, 'git'));
    const { size, mtimeMs, ctimeMs } = fs.statSync(source);
    bundles.push({ path: `git/${repository.name}.bundle`, source, offset: 0, size, mode: 0o600, mtimeMs, ctimeMs });
  }
  return bundles;
}

async function addFile(writer: ArchiveWriter, one: SnapshotFile): Promise<WrittenEntry> {
  if (one.size > WHOLE_FILE_BYTES) {
    const range = { start: one.offset, end: one.offset + one.size - 1 };
    return writer.add(one, fs.createReadStream(one.source, range) as AsyncIterable<Buffer>);
  }
  const bytes = readPart(one);
  return writer.add({ ...one, size: bytes.length }, bytes);
}

export function readPart({ source, offset, size }: SnapshotFile): Buffer {
  const bytes = Buffer.alloc(size);
  const descriptor = fs.openSync(source, 'r');
  try {
    let filled = 0;
    while (filled < size) {
      const count = fs.readSync(descriptor, bytes, filled, size - filled, offset + filled);
      // The file was truncated meanwhile; the archive holds what its table of contents lists.
      if (count === 0) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  } finally {
    fs.closeSync(descriptor);
  }
}

export function stopIfAsked(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true) throw new MnemeError('failure', 'The backup was stopped; nothing is left of it.');
}
