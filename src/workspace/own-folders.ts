import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../model/errors.ts';
import type { HomePaths } from './home-paths.ts';

/**
 * Refuses a home whose own folders, or files directly in `state/` and `journal/`, are links. Mneme empties, cuts and
 * overwrites what it finds there, so that a link in a home from elsewhere would do that to another folder or file.
 */
export function assertOwnFolders(paths: HomePaths): void {
  const { home, state, temporary, replaced, journal, writeAhead, repositories } = paths;
  const { workspace, raw, chain } = repositories;
  for (const folder of [state, temporary, replaced, journal, writeAhead, raw.workTree, chain.workTree]) {
    assertNoLink(folder);
  }
  for (const folder of [state, journal, writeAhead]) {
    for (const entry of listEntries(folder)) if (entry.isSymbolicLink()) throw linkError(path.join(folder, entry.name));
  }
  // An adopted folder lies where `workspace.path` says; links on the way there are the system's.
  const relative = path.relative(home, workspace.workTree);
  if (relative.startsWith('..') || path.isAbsolute(relative)) return;
  const names = relative.split(path.sep);
  for (const [index] of names.entries()) {
    assertNoLink(path.join(home, ...names.slice(0, index + 1)), 'To keep the workspace elsewhere, set `workspace.path`.');
  }
}

export function assertNoLink(place: string, advice?: string): void {
  if (fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true) throw linkError(place, advice);
}

function listEntries(folder: string): fs.Dirent[] {
  return fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : [];
}

function linkError(place: string, advice?: string): MnemeError {
  const hint = `Replace the link by what it leads to. ${advice ?? 'Trust no home that you did not make.'}`;
  return new MnemeError('refused', `${place} is a link; Mneme does not write through links in a home.`, { hint });
}
