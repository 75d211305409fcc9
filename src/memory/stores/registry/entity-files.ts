import fs from 'node:fs';
import path from 'node:path';
import { decodeText, type DecodedText } from '../../../workspace/safety/limits.ts';
import { placeOf, type Layout } from '../../../workspace/formats/layout.ts';
import { entriesOf, ignoringMissing } from '../../../platform/walk-tree.ts';

/** Distinguishes states of a file without reading it. Numbers: an inode may exceed what SQLite hands back whole. */
export interface Stamp {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
}

export function isSameStamp(left: Stamp | undefined, right: Stamp | undefined): boolean {
  if (left === undefined || right === undefined) return false;
  return (
    left.mtimeMs === right.mtimeMs &&
    left.size === right.size &&
    left.ctimeMs === right.ctimeMs &&
    left.inode === right.inode
  );
}

const ENTITIES = 'memory/graph/entities';
const SCOPES = 'memory/scopes';

/** Whether a workspace path is an entity's file; what was archived is out of the way on purpose. */
export function isEntityPath(file: string, layout: Layout): boolean {
  const place = placeOf(file, layout);
  return place.kind === 'entity' && !place.isArchived;
}

/** The entity files of a workspace: shared ones, and those of every scope, with or without its `memory/` level. */
export function listEntityFiles(root: string, layout: Layout): string[] {
  const folders = [ENTITIES];
  for (const scope of entriesOf(path.join(root, SCOPES))) {
    if (!scope.isDirectory()) continue;
    folders.push(`${SCOPES}/${scope.name}/${ENTITIES}`, `${SCOPES}/${scope.name}/graph/entities`);
  }
  return folders.flatMap((folder) =>
    entriesOf(path.join(root, folder))
      .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && /\.md$/iu.test(entry.name))
      .map((entry) => `${folder}/${entry.name}`)
      .filter((file) => isEntityPath(file, layout)),
  );
}

/** Undefined for what is gone, and for links and folders. */
export function stampOf(root: string, file: string): Stamp | undefined {
  const stat = ignoringMissing(() => fs.lstatSync(`${root}/${file}`, { throwIfNoEntry: false }));
  if (stat === undefined || !stat.isFile()) return undefined;
  return { size: stat.size, mtimeMs: stat.mtimeMs, ctimeMs: stat.ctimeMs, inode: stat.ino };
}

/** As `limits.max_file_bytes` has it by default; what is larger is found by name, and its lines stay unread. */
export const MAX_ENTITY_BYTES = 4_194_304;
const HEAD_BYTES = 65_536;

/** The beginning of a file that is too large to be read whole. */
export function readHeadText(root: string, file: string): string | undefined {
  return ignoringMissing(() => {
    const descriptor = fs.openSync(`${root}/${file}`, 'r');
    try {
      const bytes = Buffer.alloc(HEAD_BYTES);
      return bytes.toString('utf8', 0, fs.readSync(descriptor, bytes, 0, HEAD_BYTES, 0));
    } finally {
      fs.closeSync(descriptor);
    }
  });
}

export function readText(root: string, file: string): string | undefined {
  return ignoringMissing(() => fs.readFileSync(`${root}/${file}`, 'utf8'));
}

/** As `readText`, telling what is no text from what is. */
export function readDecoded(root: string, file: string): DecodedText | undefined {
  return ignoringMissing(() => decodeText(fs.readFileSync(`${root}/${file}`)));
}
