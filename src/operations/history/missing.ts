import fs from 'node:fs';
import path from 'node:path';
import { MnemeError } from '../../model/errors.ts';
import { initRepository } from '../../workspace/git/repository.ts';
import { readHome } from '../../workspace/home.ts';
import { Workspace } from '../../workspace/workspace.ts';
import { homePaths, type HomePaths } from '../../workspace/home-paths.ts';

/** Says in words that the folder of the files or its history is gone, before anything takes the gap for deletions. */
export async function assertHistoryExists(home: string): Promise<void> {
  // Most homes have both where they are by default, which needs no look at mneme.yaml.
  if (hasHistory(homePaths(home))) return;
  const { paths } = await readHome(home);
  if (hasHistory(paths)) return;
  const { workTree, gitDir } = paths.repositories.workspace;
  if (fs.existsSync(path.join(gitDir, 'HEAD'))) {
    throw new MnemeError('integrity', `The workspace is missing: there is no folder ${workTree}.`, {
      hint: 'Put it back where it was (a backup, a disk that is not mounted), or correct workspace.path in mneme.yaml.',
    });
  }
  throw new MnemeError('integrity', `The history is missing: there is no git directory at ${gitDir}.`, {
    hint: 'Restore it from a backup or a remote, or run `mneme check --repair` to begin a new one.',
  });
}

/** Begins a new history where it is missing. Returns what was done, in words. */
export async function repairMissingHistory(home: string): Promise<string[]> {
  if (hasHistory(homePaths(home))) return [];
  const { config, paths, settings } = await readHome(home);
  const { workspace: location } = paths.repositories;
  if (fs.existsSync(path.join(location.gitDir, 'HEAD'))) return [];
  await initRepository({ ...location, kind: 'workspace', branch: config.git.branch, identity: settings.identity });
  // Old state would keep the drain from writing everything to the new history.
  Workspace.create(paths, settings).dropState();
  return [`the history was missing: a new one begins at ${location.gitDir}`];
}

function hasHistory({ repositories }: HomePaths): boolean {
  const { workTree, gitDir } = repositories.workspace;
  return fs.existsSync(workTree) && fs.existsSync(path.join(gitDir, 'HEAD'));
}
