import path from 'node:path';
import type { CommitIdentity } from './git/identity.ts';
import type { RepositoryName } from './journal/record.ts';
import type { GitLocation } from './git/git.ts';

export interface WorkspaceSettings {
  /** A home of a newer format is only read: completing or committing anything there could damage it. */
  readonly mode: 'read' | 'read-write';
  readonly cadence: 'mutation' | 'batch';
  readonly batchIntervalMs: number;
  readonly branch: string;
  /** The author of Mneme's commits, if not Mneme. */
  readonly identity?: CommitIdentity | undefined;
  readonly maxFileBytes: number;
  /** The same for what is no text; `maxFileBytes` when not given. */
  readonly maxAttachmentBytes?: number | undefined;
  /** Most files one atomic group may change, and the longest path a new file may have; no limit when not given. */
  readonly maxChanges?: number | undefined;
  readonly maxPathChars?: number | undefined;
  readonly redaction: { readonly enabled: boolean; readonly allow: readonly string[] };
}

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

/** Held by the daemon for as long as it lives: who has it runs the schedule. */
export function daemonLock({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'daemon.lock');
}

/** Held by the process that learns and embeds in the background, while it does. */
export function workerLock({ state }: Pick<HomePaths, 'state'>): string {
  return path.join(state, 'worker.lock');
}

/** Held while a job runs, by whichever process runs it. */
export function jobLock({ state }: Pick<HomePaths, 'state'>, job: string): string {
  return path.join(state, 'jobs', `${job}.lock`);
}
