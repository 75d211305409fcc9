import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { findRecordedPathObjection } from '../../workspace/safety/paths.ts';
import { damaged } from './tar/header.ts';
import { parseJson } from '../../model/records.ts';

/** The last entry of an archive: what is in it, and what it was made of. */
export const MANIFEST_FILE = 'manifest.json';

/** Raised when an older Mneme could no longer restore it. */
const ARCHIVE_FORMAT = 1;
/** Of incremental ones: 2 with large files in several parts, 3 with the files of each folder in a list of its own. */
const PARTS_FORMAT = 3;

/** Handed to git, which would take a leading dash for an option. */
const argument = z.string().regex(/^[^-]/u);

const repository = z.object({
  name: z.enum(['workspace', 'raw', 'chain']),
  /** The branch HEAD stands on, or the commit where it stands on none. */
  head: z.string().regex(/^(?:refs\/heads\/.+|[0-9a-f]{40})$/u),
  /** A text of all references and what they point to, hashed. */
  references: z.string(),
  remotes: z.array(z.object({ name: argument, url: argument })),
});

const manifest = z.object({
  format: z.int().min(1),
  homeId: z.string().regex(/^[0-9a-f]{8}$/u),
  made: z.iso.datetime(),
  /** False when the transcripts were left out on purpose. */
  hasTranscripts: z.boolean(),
  repositories: z.array(repository),
  files: z.array(
    z.object({ path: z.string().min(1), size: z.int().min(0), sha256: z.string().regex(/^[0-9a-f]{64}$/u) }),
  ),
});

const sha256 = z.string().regex(/^[0-9a-f]{64}$/u);

/** A file of an incremental backup. */
export interface PartsFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
  readonly mode: number;
  readonly mtimeMs: number;
  /** By which it is known to be the same the next time; 0 when it was too young to tell. */
  readonly ctimeMs: number;
  /** The parts a large file consists of, one behind the other; `sha256` is then the hash of their hashes. */
  readonly pieces?: readonly string[] | undefined;
}

/**
 * A folder of an incremental backup. Its files are listed in a part of their own: a night on which nothing in it changed
 * takes over one line, however many files there are.
 */
export interface PartsFolder {
  /** From the home, without a slash at the end; '' is the home itself. */
  readonly path: string;
  /** By which it is known to be the same the next time; '' when something in it was too young to tell. */
  readonly stamp: string;
  /** The part that lists the files. */
  readonly list: string;
  readonly count: number;
  readonly bytes: number;
}

function isPartsFolder(value: unknown): value is PartsFolder {
  if (typeof value !== 'object' || value === null) return false;
  const { path, stamp, list, count, bytes } = value as Partial<Record<string, unknown>>;
  return typeof path === 'string' && typeof stamp === 'string' && isHash(list) && isCount(count) && isCount(bytes);
}

/** By hand: there are ten thousand of them after three years, and a schema takes ten times as long over them. */
function isPartsFile(value: unknown): value is PartsFile {
  if (typeof value !== 'object' || value === null) return false;
  const { path, size, sha256: whole, mode, mtimeMs, ctimeMs, pieces } = value as Partial<Record<string, unknown>>;
  return (
    typeof path === 'string' &&
    path !== '' &&
    isCount(size) &&
    isHash(whole) &&
    isCount(mode) &&
    mode <= 0o777 &&
    Number.isFinite(mtimeMs) &&
    Number.isFinite(ctimeMs) &&
    (pieces === undefined || (Array.isArray(pieces) && pieces.every(isHash)))
  );
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{64}$/u.test(value);
}

/** A pack of git objects, and the references (a part of their own) whose objects the packs before it hold. */
const pack = z.object({ sha256, size: z.int().min(0), before: sha256.nullable() });

const partsManifest = z.object({
  ...manifest.shape,
  repositories: z.array(repository.extend({ referenceList: sha256, packs: z.array(pack) })),
  folders: z
    .custom<PartsFolder[]>((folders) => Array.isArray(folders) && folders.every(isPartsFolder))
    .default(() => []),
  /** Only in lists of an earlier format. */
  files: z.custom<PartsFile[]>((files) => Array.isArray(files) && files.every(isPartsFile)).default(() => []),
  /** Of the folder of parts when it was made: still the same, none of them was taken away since. */
  storeStamp: z.string().default(''),
  /** Parts that came since those that nobody needs were last cleared away. */
  addedParts: z.int().min(0).default(0),
  /** The total size at the last full restore; 0 without one. */
  restoredBytes: z.int().min(0),
});

/** The list an incremental backup consists of. */
export type PartsManifest = Omit<z.output<typeof partsManifest>, 'format'>;
export type PackPart = z.output<typeof pack>;
export type PartsRepository = PartsManifest['repositories'][number];

export type BackupManifest = Omit<z.output<typeof manifest>, 'format'>;
export type BackedUpRepository = z.output<typeof repository>;

export function serializeManifest(given: BackupManifest): string {
  return `${JSON.stringify({ format: ARCHIVE_FORMAT, ...given }, undefined, 1)}\n`;
}

export function serializePartsManifest(given: PartsManifest): string {
  return `${JSON.stringify({ format: PARTS_FORMAT, ...given })}\n`;
}

export function parseManifest(text: string): BackupManifest {
  return parseKnown(manifest, text, ARCHIVE_FORMAT);
}

export function parsePartsManifest(text: string): PartsManifest {
  return parseKnown(partsManifest, text, PARTS_FORMAT);
}

/** Files over this size are kept in pieces of it: logs that only grow leave all but their last piece as it was. */
export const PIECE_BYTES = 256 * 1024;

function pieceSize(size: number, index: number): number {
  return Math.min(PIECE_BYTES, size - index * PIECE_BYTES);
}

/** The names in a list are those within the folder. */
export function serializeFolderList(files: readonly PartsFile[]): string {
  return JSON.stringify(files);
}

/** The files of a folder, with their whole paths. */
export function parseFolderList(folder: string, text: string): PartsFile[] {
  const files = parseJson(text);
  if (!Array.isArray(files) || !files.every(isPartsFile)) throw damaged(`the list of ${folder} cannot be read`);
  return files.map((file) => Object.assign(file, { path: folder === '' ? file.path : `${folder}/${file.path}` }));
}

/** The parts some files consist of, with their sizes as they are unpacked. */
export function partsOfFiles(files: readonly PartsFile[]): Map<string, number> {
  const parts = new Map<string, number>();
  for (const { sha256: whole, size, pieces } of files) {
    if (pieces === undefined) parts.set(whole, size);
    for (const [index, piece] of (pieces ?? []).entries()) parts.set(piece, pieceSize(size, index));
  }
  return parts;
}

/** The parts that histories consist of, with their sizes where they are known. */
export function partsOfHistories({ repositories }: Pick<PartsManifest, 'repositories'>): Map<string, number> {
  const parts = new Map<string, number>();
  for (const { referenceList, packs } of repositories) {
    parts.set(referenceList, 0);
    for (const one of packs) {
      parts.set(one.sha256, one.size);
      if (one.before !== null) parts.set(one.before, 0);
    }
  }
  return parts;
}

function parseKnown<T extends { readonly format: number }>(schema: z.ZodType<T>, text: string, newest: number): T {
  const parsed = schema.safeParse(parseJson(text));
  if (!parsed.success) throw damaged('its list of contents cannot be read', parsed.error);
  if (parsed.data.format <= newest) return parsed.data;
  throw new MnemeError('refused', 'The backup was made by a newer Mneme.', { hint: 'Update this one to restore it.' });
}

/** Everything an archive may hold, by the first part of the path. */
const ROOTS: ReadonlySet<string> = new Set(['workspace', 'raw', 'chain', 'journal', 'git']);
const SINGLE_FILES: ReadonlySet<string> = new Set(['mneme.yaml', MANIFEST_FILE]);

/** Refuses what would leave the folder it is unpacked into, or bring along settings that git would act on. */
export function assertEntryPath(path: string): void {
  const parts = path.split('/');
  const isKnown = parts.length === 1 ? SINGLE_FILES.has(path) : ROOTS.has(parts[0] ?? '');
  const objection = findRecordedPathObjection(path) ?? (isKnown ? undefined : 'is none of its files');
  if (objection !== undefined) throw damaged(`${JSON.stringify(path)} has no place in a home: the path ${objection}`);
}
