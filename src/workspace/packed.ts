import { hash } from 'node:crypto';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { z } from 'zod';
import { MnemeError, systemCode } from '../model/errors.ts';
import { parseJson } from '../model/records.ts';
import type { Clock } from '../platform/clock.ts';
import { type FileSystem, nodeFileSystem } from '../platform/fs.ts';
import type { Eraser } from './registries.ts';
import { isRecordedPath } from './safety/paths.ts';
import type { Workspace } from './workspace.ts';

const SUFFIX = '.gz';
/** No memory is as large; what unpacks to more is a trap. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** Old files are kept packed, beside the name they are still known by: `x.md` becomes `x.md.gz`. */
export function packedName(path: string): string {
  return path + SUFFIX;
}

export function isPackedName(path: string): boolean {
  return path.toLowerCase().endsWith(SUFFIX);
}

/** The name under which everything else knows the file. */
export function plainName(path: string): string {
  return isPackedName(path) ? path.slice(0, -SUFFIX.length) : path;
}

/** The same bytes always become the same file: gzip writes no time here. */
export function pack(bytes: Uint8Array): Buffer {
  return gzipSync(bytes, { level: 9 });
}

export function unpack(bytes: Uint8Array, path: string): Buffer {
  const unpacked = findUnpacked(bytes);
  if (unpacked !== undefined) return unpacked;
  throw new MnemeError('integrity', `${path} is damaged and cannot be unpacked.`, {
    hint: 'The history has it: `git log` and `git restore` in its folder; or take it from a backup.',
  });
}

/** Undefined for what was not packed, or is damaged. */
export function findUnpacked(bytes: Uint8Array): Buffer | undefined {
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return undefined;
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_UNPACKED_BYTES });
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

/** Whether there is such a file, packed or not. */
export function existsPacked(fs: Pick<FileSystem, 'exists'>, file: string): boolean {
  return fs.exists(file) || fs.exists(packedName(file));
}

/** Reads a file, packed or not, by its plain or its packed name; undefined when there is neither. */
export function readPacked(fs: Pick<FileSystem, 'read'>, file: string): Buffer | undefined {
  const name = plainName(file);
  const plain = fs.read(name);
  if (plain !== undefined) return plain;
  const packed = fs.read(packedName(name));
  return packed === undefined ? undefined : unpack(packed, packedName(name));
}

/** Beside the transcripts, append-only: what each said when it was packed, by its hash. */
export const PACKED_MANIFEST = 'packed.jsonl';

/** As the other one: what each transcript said that went because of its age. The history still has it. */
export const DELETED_MANIFEST = 'deleted.jsonl';

const lineSchema = z.object({
  /** The plain name, relative to the repository. */
  path: z.string().refine(isRecordedPath),
  /** Of the text before it was packed. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/u),
  bytes: z.number().int().min(0),
  at: z.string(),
});
type PackedLine = z.infer<typeof lineSchema>;

export function renderPackedLine({ at, ...line }: Omit<PackedLine, 'at'> & { readonly at: number }): string {
  return `${JSON.stringify({ ...line, at: new Date(at).toISOString() })}\n`;
}

/** By path; where a file has several lines the last one counts. A torn line says nothing. */
export function parsePackedManifest(text: string): ReadonlyMap<string, PackedLine> {
  const lines = new Map<string, PackedLine>();
  for (const line of text.split('\n')) {
    const parsed = line === '' ? undefined : lineSchema.safeParse(parseJson(line)).data;
    if (parsed !== undefined) lines.set(parsed.path, parsed);
  }
  return lines;
}

/** Says anew what the packed transcripts say, once something was erased from them. It holds no words itself. */
export function createManifestEraser(workspace: Workspace, clock: Clock): Eraser {
  return {
    name: 'manifest of packed transcripts',
    async erase() {
      const root = workspace.paths.repositories.raw.workTree;
      const text = nodeFileSystem.read(path.join(root, PACKED_MANIFEST))?.toString('utf8') ?? '';
      const lines = [...parsePackedManifest(text).values()].flatMap((known) => {
        const bytes = readPacked(nodeFileSystem, path.join(root, known.path));
        const sha256 = bytes === undefined ? known.sha256 : hash('sha256', bytes);
        if (bytes === undefined || sha256 === known.sha256) return [];
        return [renderPackedLine({ path: known.path, sha256, bytes: bytes.length, at: clock.now() })];
      });
      if (lines.length > 0) {
        await workspace.commit({
          repository: 'raw',
          actor: 'system:retention',
          approval: 'auto',
          trigger: 'permanent erasure',
          summary: 'hashes of packed conversations after an erasure',
          changes: [{ path: PACKED_MANIFEST, append: Buffer.from(lines.join(''), 'utf8') }],
        });
      }
      return { where: 'manifest of packed transcripts', occurrences: lines.length };
    },
  };
}
