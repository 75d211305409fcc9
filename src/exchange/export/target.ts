import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { Zip, ZipDeflate } from 'fflate';
import { z } from 'zod';
import { MnemeError } from '../../model/errors.ts';
import { parseJson } from '../../model/records.ts';

/** The list of contents of an export of everything. */
export const EXPORT_MANIFEST = 'mneme-export.json';
const EXPORT_FORMAT = 'mneme-export';
const EXPORT_VERSION = 1;

const manifestSchema = z.looseObject({
  format: z.literal(EXPORT_FORMAT),
  version: z.number().int().min(1),
  made: z.string(),
  /** The scope whose view of the memory it is; null for all of it. */
  scope: z.string().nullable(),
  files: z.array(
    z.object({
      path: z.string().min(1),
      size: z.number().int().min(0),
      sha256: z.string().regex(/^[0-9a-f]{64}$/u),
    }),
  ),
});

export interface ExportedFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

interface ExportManifest {
  readonly made: string;
  readonly scope: string | null;
  readonly files: readonly ExportedFile[];
}

export function serializeExportManifest({ made, scope, files }: ExportManifest): string {
  return `${JSON.stringify({ format: EXPORT_FORMAT, version: EXPORT_VERSION, made, scope, files }, null, 1)}\n`;
}

export function parseExportManifest(text: string): ExportManifest {
  const parsed = manifestSchema.safeParse(parseJson(text));
  if (!parsed.success) {
    throw new MnemeError('usage', `${EXPORT_MANIFEST} is not the list of contents of an export.`, {
      hint: 'Make the export again: `mneme export DIR`.',
      cause: parsed.error,
    });
  }
  const { version, made, scope, files } = parsed.data;
  if (version > EXPORT_VERSION) {
    throw new MnemeError('usage', `The export is of version ${version}; this program reads up to ${EXPORT_VERSION}.`, {
      hint: 'Update Mneme.',
    });
  }
  return { made, scope, files };
}

/** Where an export is written. Nothing is to be seen of it before it is complete. */
export interface ExportTarget {
  readonly files: readonly ExportedFile[];
  add(relative: string, bytes: Uint8Array, mtimeMs: number): void;
  /** Puts it in its place. */
  finish(): void;
  /** Leaves nothing behind. */
  abandon(): void;
}

const PARTIAL = '.partial';
/** The limits of the ZIP format. */
const MAX_ZIP_FILES = 65_535;
const MAX_ZIP_BYTES = 0xffff_ffff;
const FIRST_ZIP_YEAR_MS = Date.UTC(1980, 0, 2);

export function openTarget(destination: string, isForced: boolean): ExportTarget {
  return destination.toLowerCase().endsWith('.zip')
    ? new ZipTarget(destination, isForced)
    : new FolderTarget(destination, isForced);
}

class FolderTarget implements ExportTarget {
  readonly files: ExportedFile[] = [];
  readonly #destination: string;
  readonly #partial: string;
  readonly #isForced: boolean;

  constructor(destination: string, isForced: boolean) {
    this.#destination = destination;
    this.#partial = `${destination}${PARTIAL}`;
    this.#isForced = isForced;
    assertFree(destination, isForced);
    fs.rmSync(this.#partial, { recursive: true, force: true });
    fs.mkdirSync(this.#partial, { recursive: true, mode: 0o700 });
  }

  add(relative: string, bytes: Uint8Array, mtimeMs: number): void {
    const full = path.join(this.#partial, relative);
    fs.mkdirSync(path.dirname(full), { recursive: true });
    fs.writeFileSync(full, bytes);
    fs.utimesSync(full, mtimeMs / 1000, mtimeMs / 1000);
    this.files.push(describe(relative, bytes));
  }

  finish(): void {
    // An empty folder, or an earlier export, makes room only now.
    if (this.#isForced || fs.existsSync(this.#destination))
      fs.rmSync(this.#destination, { recursive: true, force: true });
    fs.renameSync(this.#partial, this.#destination);
  }

  abandon(): void {
    fs.rmSync(this.#partial, { recursive: true, force: true });
  }
}

class ZipTarget implements ExportTarget {
  readonly files: ExportedFile[] = [];
  readonly #destination: string;
  readonly #partial: string;
  readonly #descriptor: number;
  readonly #zip: Zip;
  #bytes = 0;
  #failure: Error | undefined;

  constructor(destination: string, isForced: boolean) {
    this.#destination = destination;
    this.#partial = `${destination}${PARTIAL}`;
    assertFree(destination, isForced);
    fs.mkdirSync(path.dirname(destination), { recursive: true });
    this.#descriptor = fs.openSync(this.#partial, 'w', 0o600);
    this.#zip = new Zip((error, chunk) => {
      if (error) this.#failure ??= error;
      else this.#bytes += fs.writeSync(this.#descriptor, chunk);
    });
  }

  add(relative: string, bytes: Uint8Array, mtimeMs: number): void {
    if (this.files.length >= MAX_ZIP_FILES || this.#bytes + bytes.length > MAX_ZIP_BYTES) {
      throw new MnemeError('refused', 'It is too much for a .zip (65,535 files, 4 GB).', {
        hint: 'Export to a folder instead.',
      });
    }
    const entry = new ZipDeflate(relative, { level: 6 });
    entry.mtime = new Date(Math.max(mtimeMs, FIRST_ZIP_YEAR_MS));
    this.#zip.add(entry);
    entry.push(bytes, true);
    if (this.#failure !== undefined) throw this.#failure;
    this.files.push(describe(relative, bytes));
  }

  finish(): void {
    this.#zip.end();
    if (this.#failure !== undefined) throw this.#failure;
    fs.fsyncSync(this.#descriptor);
    fs.closeSync(this.#descriptor);
    fs.renameSync(this.#partial, this.#destination);
  }

  abandon(): void {
    this.#zip.terminate();
    fs.closeSync(this.#descriptor);
    fs.rmSync(this.#partial, { force: true });
  }
}

function describe(relative: string, bytes: Uint8Array): ExportedFile {
  return { path: relative, size: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

/** Nothing of somebody's is written over: only an empty folder, or with `force` an earlier export. */
export function assertFree(destination: string, isForced: boolean): void {
  const stat = fs.statSync(destination, { throwIfNoEntry: false });
  if (stat === undefined || (stat.isDirectory() && fs.readdirSync(destination).length === 0)) return;
  const isEarlierExport = !stat.isDirectory() || fs.existsSync(path.join(destination, 'mneme-export.json'));
  if (isForced && isEarlierExport) return;
  throw new MnemeError('refused', `${destination} is there already.`, {
    hint: isEarlierExport
      ? 'Choose another name, or replace it with --force.'
      : 'Choose a folder that is new or empty.',
  });
}
