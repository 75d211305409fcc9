import fs from 'node:fs';
import path from 'node:path';
import { MnemeError, systemCode } from '../model/errors.ts';
import type { GitLocation } from './git/git.ts';
import type { HomePaths } from './home-paths.ts';

/** `replaced` holds files that the write path put there, and a person's links, which hold.ts skips. */
const LOOKED_AT_ELSEWHERE: ReadonlySet<string> = new Set(['.git', 'replaced']);

/**
 * The depth to which git's folders are checked. Git deletes objects below a linked folder and appends to a linked
 * log; a single object, pack or reference is replaced by rename.
 */
const GIT_FOLDERS: readonly (readonly [string, number])[] = [
  ['info', 1],
  ['objects', 1],
  ['refs', 2],
  ['logs', Number.POSITIVE_INFINITY],
];

/**
 * Refuses a home with links in the places where Mneme and git write under fixed names. Mneme empties, cuts and overwrites
 * what it finds there, so that a link in a home from elsewhere would do that to another folder or file. Files of the
 * repositories' work trees are looked at when they are written.
 *
 * Every opening asks, so it looks no deeper than it must: below that, files are replaced by rename or opened without
 * following links.
 */
export function assertOwnFolders(paths: HomePaths): void {
  const { home, state, journal, logs, repositories } = paths;
  const { workspace, raw, chain } = repositories;
  for (const folder of [state, journal, chain.workTree]) refuseLinks(folder, 2);
  for (const folder of [logs, raw.workTree]) refuseLinks(folder, 1);
  // An adopted folder lies where `workspace.path` says; links on the way there are the system's.
  if (isInside(home, workspace.workTree)) refuseLinkOnWay(home, workspace.workTree);
  for (const { gitDir } of [workspace, raw, chain]) if (isInside(home, gitDir)) assertOwnRepository(gitDir);
}

export function assertNoLink(place: string, advice?: string): void {
  if (fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linkError(place, advice);
}

function refuseLinkOnWay(home: string, folder: string): void {
  const names = path.relative(home, folder).split(path.sep);
  for (const [index] of names.entries()) {
    assertNoLink(
      path.join(home, ...names.slice(0, index + 1)),
      'To keep the workspace elsewhere, set `workspace.path`.',
    );
  }
}

/** Git writes through links in its directory, and a file `.git` or `commondir` sends it to another one. */
function assertOwnRepository(gitDir: GitLocation['gitDir']): void {
  const stat = fs.lstatSync(gitDir, { throwIfNoEntry: false });
  if (stat === undefined) return;
  const advice = 'To keep the git directory elsewhere, set `workspace.git_dir`.';
  if (stat.isSymbolicLink()) throw linkError(gitDir, advice);
  const redirect = stat.isDirectory() ? path.join(gitDir, 'commondir') : gitDir;
  if (!stat.isDirectory() || fs.existsSync(redirect)) {
    throw new MnemeError('refused', `${redirect} sends git to another git directory; Mneme does not follow it.`, {
      hint: `Put the git directory itself in its place. ${advice}`,
    });
  }
  refuseLinks(gitDir, 1);
  for (const [name, depth] of GIT_FOLDERS) refuseLinks(path.join(gitDir, name), depth);
}

/** Refuses a folder that is a link, and links in it; a depth of 2 looks into its folders too. */
function refuseLinks(folder: string, depth: number): void {
  assertNoLink(folder);
  for (const entry of listEntries(folder)) {
    const full = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) throw linkError(full);
    if (depth > 1 && entry.isDirectory() && !LOOKED_AT_ELSEWHERE.has(entry.name)) refuseLinks(full, depth - 1);
  }
}

/** Empty for a folder that is missing: `state/` may be deleted at any time, also between two looks at it. */
export function listEntries(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

function isInside(home: string, folder: string): boolean {
  const relative = path.relative(home, folder);
  return !relative.startsWith('..') && !path.isAbsolute(relative);
}

function linkError(place: string, advice?: string): MnemeError {
  const hint = `Replace the link by what it leads to. ${advice ?? 'Trust no home that you did not make.'}`;
  return new MnemeError('refused', `${place} is a link; Mneme does not write through links in a home.`, { hint });
}
