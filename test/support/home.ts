import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { initHome } from '../../src/operations/home/init.ts';
import { initRepository } from '../../src/workspace/git/repository.ts';
import { type WorkspaceSettings, homePaths } from '../../src/workspace/home-paths.ts';
import { Workspace, type WorkspaceParts } from '../../src/workspace/workspace.ts';

export const TEST_SETTINGS: WorkspaceSettings = {
  mode: 'read-write',
  cadence: 'mutation',
  batchIntervalMs: 1000,
  branch: 'main',
  maxFileBytes: 4 * 1024 * 1024,
  redaction: { enabled: true, allow: [] },
};

/**
 * No test and no benchmark leaves a process behind: every program they start inherits this, and those that are given an
 * environment of their own are given it too. A test that is about the worker puts something else in its place.
 */
export const NO_WORKER = { MNEME_WORKER: 'off' } as const;
Object.assign(process.env, { ...NO_WORKER, ...process.env });

/** A new folder that goes with the run; see `one-temporary-folder.ts`. */
export function makeTemporaryFolder(name = 'mneme-test-'): string {
  return fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), name)));
}

/** Homes that were made once and are copied: a copy takes a hundredth of the time. */
let emptyHome: Promise<string> | undefined;
let initialisedHome: Promise<string> | undefined;

/** An empty home with its repository, ready to be opened (several times, if need be). */
export async function makeHome(): Promise<string> {
  emptyHome ??= makeEmptyHome();
  const home = makeTemporaryFolder();
  fs.cpSync(await emptyHome, home, { recursive: true });
  return home;
}

async function makeEmptyHome(): Promise<string> {
  const home = makeTemporaryFolder();
  await initRepository({ ...homePaths(home).repositories.workspace, kind: 'workspace', branch: 'main' });
  return home;
}

/** Makes a home of the folder, as `mneme init` does. */
export async function initTestHome(home: string): Promise<void> {
  initialisedHome ??= makeInitialisedHome();
  fs.cpSync(await initialisedHome, home, { recursive: true });
}

async function makeInitialisedHome(): Promise<string> {
  const home = makeTemporaryFolder();
  await initHome({ home, timeZone: 'UTC', isFull: false, command: ['mneme'] });
  return home;
}

export function openWorkspace(
  home: string,
  parts: WorkspaceParts = {},
  settings: Partial<WorkspaceSettings> = {},
): Promise<Workspace> {
  return Workspace.open(homePaths(home), { ...TEST_SETTINGS, ...settings }, parts);
}

/** Plain git in the workspace, as a person would run it. */
export function humanGit(home: string, ...args: string[]): string {
  return execFileSync('git', args, {
    cwd: path.join(home, 'workspace'),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export function workspaceFile(home: string, relative: string): string {
  return path.join(home, 'workspace', relative);
}

export function readWorkspaceFile(home: string, relative: string): string {
  return fs.readFileSync(workspaceFile(home, relative), 'utf8');
}

export function writeWorkspaceFile(home: string, relative: string, text: string): void {
  fs.mkdirSync(path.dirname(workspaceFile(home, relative)), { recursive: true });
  fs.writeFileSync(workspaceFile(home, relative), text);
}
