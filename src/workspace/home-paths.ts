import path from 'node:path';
import type { RepositoryName } from './journal/record.ts';
import type { GitLocation } from './git/git.ts';

/** Every place inside a home, from DESIGN §2. */
export interface HomePaths {
  readonly home: string;
  readonly configFile: string;
  readonly state: string;
  readonly lockDatabase: string;
  readonly gitDatabase: string;
  /** New contents on their way to their place. */
  readonly temporary: string;
  /** Hard links to replaced files, kept until a late writer can no longer be lost. */
  readonly replaced: string;
  readonly journal: string;
  readonly writeAhead: string;
  readonly backups: string;
  readonly logs: string;
  readonly repositories: Readonly<Record<RepositoryName, GitLocation>>;
}

export interface WorkspaceLocation {
  /** Relative to the home, or absolute for an adopted folder. */
  readonly path: string;
  /** Where the workspace's git directory is; undefined for `.git` inside it. */
  readonly gitDir?: string | undefined;
}

export function homePaths(home: string, workspace: WorkspaceLocation = { path: 'workspace' }): HomePaths {
  const inHome = (...parts: string[]): string => path.join(home, ...parts);
  const workTree = path.resolve(home, workspace.path);
  const own = (name: string): GitLocation => ({ workTree: inHome(name), gitDir: inHome(name, '.git') });
  return {
    home,
    configFile: inHome('mneme.yaml'),
    state: inHome('state'),
    lockDatabase: inHome('state', 'lock.db'),
    gitDatabase: inHome('state', 'git.db'),
    temporary: inHome('state', 'tmp'),
    replaced: inHome('state', 'replaced'),
    journal: inHome('journal'),
    writeAhead: inHome('journal', 'wal'),
    backups: inHome('backups'),
    logs: inHome('logs'),
    repositories: {
      workspace: {
        workTree,
        gitDir: workspace.gitDir === undefined ? path.join(workTree, '.git') : path.resolve(home, workspace.gitDir),
      },
      raw: own('raw'),
      chain: own('chain'),
    },
  };
}
