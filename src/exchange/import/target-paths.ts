import { createHash } from 'node:crypto';
import { encodeBase32 } from '../../model/ids.ts';
import { isMnemeError } from '../../model/errors.ts';
import { parseWorkspacePath, slugify } from '../../workspace/safety/paths.ts';
import type { ImportLedger } from './ledger.ts';

const SUFFIX_CHARACTERS = 6;

export interface PathsOfFolder {
  /** Where the copies go, in the workspace. */
  readonly target: string;
  readonly relatives: readonly string[];
  readonly originOf: (relative: string) => string;
}

/**
 * Where each file of a folder is copied to: where it was copied to before, else its own path with names that some
 * system could not store made plain. No two share a path: which of them has the plain name is remembered, the others
 * carry a hash of their own.
 */
export function assignTargets(ledger: ImportLedger, folder: PathsOfFolder): ReadonlyMap<string, string> {
  const targets = new Map<string, string>();
  const taken = new Set<string>();
  for (const { path } of ledger.documents()) taken.add(fold(path));
  const fresh: { readonly relative: string; readonly natural: string }[] = [];
  for (const relative of folder.relatives) {
    const known = ledger.document(folder.originOf(relative))?.path;
    if (known === undefined) fresh.push({ relative, natural: naturalPath(relative) });
    else targets.set(relative, known);
  }
  // A file whose name can stay as it is must not lose it to one whose name cannot.
  const isUnchanged = ({ relative, natural }: { relative: string; natural: string }): boolean => relative === natural;
  for (const file of [...fresh.filter(isUnchanged), ...fresh.filter((one) => !isUnchanged(one))]) {
    const plain = `${folder.target}/${file.natural}`;
    const target = taken.has(fold(plain)) ? withHash(plain, file.relative) : plain;
    taken.add(fold(target));
    targets.set(file.relative, target);
  }
  return targets;
}

/** Paths that are the same on a file system that ignores case. */
function fold(path: string): string {
  return path.normalize('NFC').toLowerCase();
}

function withHash(path: string, relative: string): string {
  const hash = encodeBase32(createHash('sha256').update(relative).digest(), SUFFIX_CHARACTERS);
  return path.replace(/\.md$/u, `-${hash}.md`);
}

function naturalPath(relative: string): string {
  const segments = relative.split('/').map((segment, index, all) => {
    const extension = index === all.length - 1 ? '.md' : '';
    const stem = extension === '' ? segment : segment.replace(/\.(?:md|markdown)$/iu, '');
    return isPlain(`${stem}${extension}`) ? `${stem}${extension}` : `${slugify(stem)}${extension}`;
  });
  return segments.join('/');
}

function isPlain(segment: string): boolean {
  try {
    return parseWorkspacePath(segment) === segment;
  } catch (error) {
    if (isMnemeError(error)) return false;
    throw error;
  }
}
