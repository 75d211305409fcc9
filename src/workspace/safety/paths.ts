import { createHash } from 'node:crypto';
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import nodePath from 'node:path';
import { isMnemeError, MnemeError, systemCode } from '../../model/errors.ts';
import { encodeBase32 } from '../../model/ids.ts';
import { createTwinTest, findImitatedName } from './confusables.ts';
import {
  MAX_SEGMENT_BYTES,
  type Objection,
  findCharacterObjection,
  findSegmentObjection,
  isGitDirectoryName,
  isReservedName,
} from './segments.ts';

/** macOS takes paths up to 1,024 bytes, the smallest limit among the systems in use; Windows gets `\\?\` from Node. */
const MAX_PATH_BYTES = 1024;

/** A quoted path that cannot disturb a terminal: everything unprintable is spelled out. */
export function quotePath(path: string): string {
  const shown = path.length > 120 ? `${path.slice(0, 119)}…` : path;
  return `"${shown.replace(/[\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu, (char) => `\\u{${char.codePointAt(0)?.toString(16)}}`)}"`;
}

function objectionError(path: string, { code, problem, hint }: Objection): MnemeError {
  return new MnemeError(code, `The path ${quotePath(path)} ${problem}.`, { hint });
}

function findWholePathObjection(path: string): Objection | undefined {
  if (path === '') return { code: 'usage', problem: 'is empty', hint: 'Name a file inside the workspace.' };
  const hint = 'Write the path from the workspace down, such as memory/reference/notes.md.';
  if (path.startsWith('/') || path.startsWith('\\') || /^[a-z]:/i.test(path)) {
    return { code: 'refused', problem: 'is absolute', hint };
  }
  if (path === '~' || path.startsWith('~/')) return { code: 'refused', problem: 'starts in a home directory', hint };
  // Not converted: on POSIX a backslash is part of a name, so a silent change could hit another file.
  if (path.includes('\\')) return { code: 'usage', problem: 'contains a backslash', hint: 'Separate folders by "/".' };
  if (Buffer.byteLength(path) > MAX_PATH_BYTES) {
    return { code: 'usage', problem: `is longer than ${MAX_PATH_BYTES} bytes`, hint: 'Shorten the names.' };
  }
  return findCharacterObjection(path);
}

/** Returns the one spelling (relative, `/`, NFC) of a path inside the workspace, or says why it is not one. */
export function parseWorkspacePath(input: string): string {
  const path = input.normalize('NFC');
  const objection =
    findWholePathObjection(path) ??
    path
      .split('/')
      .map(findSegmentObjection)
      .find((found) => found !== undefined);
  if (objection !== undefined) throw objectionError(path, objection);
  return path;
}

/**
 * The existing name or path that a new one would be mistaken for, by a file system that ignores case or by a person
 * who reads it. Works on sibling names as on whole paths; for paths a twin among the folders counts too.
 */
export function findCaseCollision(relative: string, existingNames: Iterable<string>): string | undefined {
  const segments = relative.split('/');
  const twinTests = segments.map(createTwinTest);
  for (const existing of existingNames) {
    const others = existing.split('/');
    const index = segments.findIndex((segment, position) => segment !== others[position]);
    const other = others[index];
    if (other !== undefined && twinTests[index]?.(other) === true) return existing;
  }
  return undefined;
}

export interface SymlinkCheck {
  /** True when the path itself is a link, to somewhere inside the workspace: a rename would replace the link. */
  readonly finalIsSymlink: boolean;
}

function readEntry(full: string): Stats | undefined {
  try {
    return lstatSync(full, { throwIfNoEntry: false });
  } catch (error) {
    // A file stands where the path wants a folder, so nothing can exist below it.
    if (systemCode(error) === 'ENOTDIR') return undefined;
    throw new MnemeError(
      'failure',
      `${quotePath(full)} cannot be examined (${systemCode(error) ?? 'unknown error'}).`,
      {
        hint: 'Check the permissions of the folder.',
        cause: error,
      },
    );
  }
}

function resolveLink(root: string, link: string): string {
  try {
    return nodePath.relative(realpathSync.native(root), realpathSync.native(link));
  } catch (error) {
    throw new MnemeError('refused', `${quotePath(link)} is a link that leads nowhere.`, {
      hint: 'Remove the link, or restore what it points to.',
      cause: error,
    });
  }
}

function assertLinkStaysInside(root: string, link: string): void {
  const target = resolveLink(root, link).split(nodePath.sep);
  const escapes = target[0] === '..' || nodePath.isAbsolute(target.join(nodePath.sep));
  if (!escapes && !target.some(isGitDirectoryName)) return;
  const where = escapes ? 'out of the workspace' : 'into the git directory';
  throw new MnemeError('refused', `${quotePath(link)} is a link that leads ${where}.`, {
    hint: 'Replace the link by a folder or file of its own.',
  });
}

/**
 * Makes sure that no link on the way to a path leads out of `root`. One lstat for each existing segment, synchronous
 * because a thread hop costs more than the call; links are resolved only where there are any.
 */
export function checkLinks(root: string, relative: string): SymlinkCheck {
  let current = root;
  let entry: Stats | undefined;
  for (const segment of relative.split('/')) {
    current = nodePath.join(current, segment);
    entry = readEntry(current);
    if (entry === undefined) return { finalIsSymlink: false };
    if (entry.isSymbolicLink()) assertLinkStaysInside(root, current);
    else if (!entry.isFile() && !entry.isDirectory()) {
      throw new MnemeError('refused', `${quotePath(current)} is neither a file nor a folder.`, {
        hint: 'Pipes, sockets and devices cannot hold memories; remove it.',
      });
    }
  }
  return { finalIsSymlink: entry?.isSymbolicLink() === true };
}

/** As `checkLinks`. */
export async function assertNoSymlinkEscape(root: string, relative: string): Promise<SymlinkCheck> {
  return checkLinks(root, relative);
}

/** Refuses a path that is no file of the folder: a link on the way leads out, or one stands in its place. */
export function assertOwnPlace(root: string, relative: string): void {
  if (!checkLinks(root, relative).finalIsSymlink) return;
  throw new MnemeError('refused', `${nodePath.join(root, relative)} is a link and is not written through.`, {
    hint: 'Replace the link by the file it leads to.',
  });
}

/** Whether a path is a file of the folder, or free for one. */
export function isOwnPlace(root: string, relative: string): boolean {
  try {
    assertOwnPlace(root, relative);
    return true;
  } catch (error) {
    if (isMnemeError(error, 'refused')) return false;
    throw error;
  }
}

/** Latin letters that Unicode does not decompose, as people write them without their own keyboard. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ħ: 'h',
  ı: 'i',
  ł: 'l',
  ŋ: 'n',
  þ: 'th',
  ŧ: 't',
};

/** Leaves room for a date, a suffix and an extension within the 255 bytes of a name. */
const MAX_SLUG_BYTES = 180;

function truncateSlug(slug: string, maxLength: number): string {
  let kept = '';
  let bytes = 0;
  let length = 0;
  // A letter goes or stays together with its marks; cut apart it would read as another letter.
  for (const [cluster] of slug.matchAll(/\P{M}\p{M}*/gu)) {
    bytes += Buffer.byteLength(cluster);
    length += cluster.length;
    if (length > maxLength || bytes > MAX_SLUG_BYTES) break;
    kept += cluster;
  }
  if (kept.length === slug.length) return slug;
  const lastWordStart = kept.lastIndexOf('-');
  const cutsWord = slug[kept.length] !== '-';
  return cutsWord && lastWordStart > kept.length / 2 ? kept.slice(0, lastWordStart) : kept.replace(/-+$/, '');
}

/**
 * A legal, readable file name (without extension) for text in any language: Latin letters lose their marks, other
 * scripts keep their letters. Text without any letter or digit gets a name from its hash, the same each time.
 */
export function slugify(text: string, maxLength = 60): string {
  const letters = text
    .slice(0, maxLength * 8)
    .toWellFormed()
    .normalize('NFKD')
    .toLowerCase()
    .replace(/(\p{Script=Latin})\p{M}+/gu, '$1')
    .replace(/[ßæœøđðħıłŋþŧ]/g, (letter) => TRANSLITERATIONS[letter] ?? letter)
    .normalize('NFC')
    .replace(/['’\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '-')
    // A mark without its letter would attach itself to whatever stands before it.
    .replace(/(^|-)\p{M}+/gu, '$1')
    .replace(/-{2,}/g, '-')
    .replace(/^-|-$/g, '');
  const slug = truncateSlug(letters, maxLength);
  if (slug === '') return `note-${encodeBase32(createHash('sha256').update(text).digest(), 8)}`;
  const misleads =
    isReservedName(slug) || findImitatedName(slug) !== undefined || findImitatedName(`${slug}.md`) !== undefined;
  return misleads ? `note-${slug}` : slug;
}

/** Linux opens paths of 4095 bytes, which include the folder of the home. */
const MAX_RECORDED_BYTES = 3072;

const ONLY_DOTS_AND_SPACES = /^[. ]+$/u;

/**
 * Says why a path that a record names must not be followed, as the end of a sentence; undefined when it may. A record is
 * anything on disk that says where to write: the journal, a backup, a list of files. It may have come from elsewhere,
 * so what leads out of the folder, or into a git directory, on any system is refused on every system. Names that people
 * give their own files pass here although `parseWorkspacePath` refuses them for new files (`Why?.md`).
 */
export function findRecordedPathObjection(path: unknown): string | undefined {
  if (typeof path !== 'string' || path === '') return 'is empty';
  if (Buffer.byteLength(path) > MAX_RECORDED_BYTES) return `is longer than ${MAX_RECORDED_BYTES} bytes`;
  if (!path.isWellFormed()) return 'is not valid Unicode';
  if (path.includes('\0')) return 'contains a NUL character';
  if (/^(?:[\\/]|[a-z]:[\\/])/iu.test(path)) return 'is absolute';
  if (process.platform === 'win32' && path.includes(':')) return 'contains a colon';
  // A backslash is a letter here and a separator on Windows.
  for (const segment of path.split(/[\\/]/u)) {
    if (segment === '') return 'has an empty segment';
    // Windows drops dots and spaces at the end of a name, so `.. ` is `..` there.
    if (ONLY_DOTS_AND_SPACES.test(segment)) return `has the segment "${segment}"`;
    if (Buffer.byteLength(segment) > MAX_SEGMENT_BYTES) return `has a name longer than ${MAX_SEGMENT_BYTES} bytes`;
    if (isGitDirectoryName(segment)) return 'points into a git directory';
  }
  return undefined;
}

export function isRecordedPath(path: string): boolean {
  return findRecordedPathObjection(path) === undefined;
}
