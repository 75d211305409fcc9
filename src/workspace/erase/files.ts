import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, systemCode } from '../../model/errors.ts';
import { replaceFile } from '../../platform/fs.ts';
import { walkTree } from '../../platform/walk-tree.ts';
import { findEnclosingRepository } from '../git/repository.ts';
import type { EraseReport } from '../registries.ts';
import type { Workspace } from '../workspace.ts';
import type { EraseBytes } from './matcher.ts';

export interface ErasedFiles {
  /** The number of files that held the text, in their content or their name. */
  readonly count: number;
  /** Files that hold the text and could not be rewritten, with the reason. */
  readonly left: readonly string[];
}

/** Rewrites every file below a folder that holds the text; goes on past those it cannot. */
export function eraseInFolder(
  folder: string,
  erase: EraseBytes,
  isSkipped: (full: string) => boolean = () => false,
): ErasedFiles {
  let entries: fs.Dirent[] = [];
  let erased = tryTo(folder, () => {
    entries = fs.readdirSync(folder, { withFileTypes: true });
    return false;
  });
  for (const entry of entries) {
    const full = path.join(folder, entry.name);
    if (isSkipped(full)) continue;
    if (entry.isDirectory()) erased = joined(erased, eraseInFolder(full, erase, isSkipped));
    else if (entry.isFile()) erased = joined(erased, eraseInFile(full, erase));
    erased = joined(
      erased,
      tryTo(full, () => eraseInName(folder, entry.name, erase)),
    );
  }
  return erased;
}

export function eraseInFile(full: string, erase: EraseBytes): ErasedFiles {
  return tryTo(full, () => rewriteFile(full, erase));
}

const NOTHING: ErasedFiles = { count: 0, left: [] };

export function joined(one: ErasedFiles, other: ErasedFiles): ErasedFiles {
  return { count: one.count + other.count, left: [...one.left, ...other.left] };
}

function tryTo(full: string, body: () => boolean): ErasedFiles {
  try {
    return { count: body() ? 1 : 0, left: [] };
  } catch (error) {
    // A log or a lock of another process may go at any moment, and what is gone holds nothing.
    if (systemCode(error) === 'ENOENT') return NOTHING;
    return { count: 1, left: [`${full} (${errorMessage(error)})`] };
  }
}

function rewriteFile(full: string, erase: EraseBytes): boolean {
  const bytes = fs.readFileSync(full);
  const next = erase(bytes);
  if (next === bytes) return false;
  const { mode } = fs.statSync(full);
  replaceFile(full, next, { mode, flush: true });
  return true;
}

function eraseInName(folder: string, name: string, erase: EraseBytes): boolean {
  const bytes = Buffer.from(name, 'utf8');
  const next = erase(bytes).toString('utf8');
  if (next === name || !fs.existsSync(path.join(folder, name))) return false;
  let free = next;
  for (let number = 2; fs.existsSync(path.join(folder, free)); number += 1) free = `${number}-${next}`;
  fs.renameSync(path.join(folder, name), path.join(folder, free));
  return true;
}

/** Formats whose words are compressed in ways that an erasure does not open. */
const CLOSED = /\.(?:zip|docx|xlsx|pptx|od[tsp]|pdf|epub|7z|rar|xz|bz2|zst|tar)$/iu;
const MAX_TOLD = 10;

/** Names what an erasure cannot reach from here: it is no less complete for that, but it must not be taken for more. */
export function tellBeyond({ root, paths }: Workspace): EraseReport {
  const closed = [paths.home, root].flatMap((folder) => listClosed(folder));
  const files = [...new Set(closed)].sort();
  const more = files.length > MAX_TOLD ? [`${files.length - MAX_TOLD} more archives and documents`] : [];
  return {
    where: 'what is beyond reach',
    occurrences: 0,
    unreachable: [
      ...listEnclosing(root, paths.repositories.workspace.gitDir).map(
        (folder) => `the git repository of ${folder}, in which the memory lies: commits there keep what they have`,
      ),
      ...files.slice(0, MAX_TOLD).map((file) => `${file}: archives and documents are not looked into`),
      ...more,
    ],
  };
}

/** Repositories that are not Mneme's and may have committed the folder. */
function listEnclosing(root: string, ownGitDir: string): string[] {
  const found: string[] = [];
  for (let folder = root; ; folder = path.dirname(folder)) {
    const repository = findEnclosingRepository(folder);
    if (repository === undefined) return found;
    if (path.resolve(repository.gitDir) !== path.resolve(ownGitDir)) found.push(repository.workTree);
    folder = repository.workTree;
    if (path.dirname(folder) === folder) return found;
  }
}

function listClosed(folder: string): string[] {
  return walkTree(folder)
    .filter((entry) => entry.isFile() && CLOSED.test(entry.name))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !file.includes(`${path.sep}.git${path.sep}`));
}
