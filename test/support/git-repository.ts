import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { MnemeError } from '../../src/model/errors.ts';
import { UlidFactory } from '../../src/model/ids.ts';
import { run } from '../../src/platform/process.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { mutationSubject, serializeCommitMessage, type Trailers } from '../../src/workspace/git/commit-message.ts';
import { getExploration, planExploration, type Exploration } from '../../src/workspace/git/explore.ts';
import type { Git } from '../../src/workspace/git/git.ts';
import { initRepository, type InitOptions } from '../../src/workspace/git/repository.ts';
import type { PublishPull } from '../../src/workspace/git/sync.ts';

/** 2026-02-16T12:00:00Z, the day most tests take place. */
export const TEST_TIME_MS = Date.UTC(2026, 1, 16, 12);

const ulids = new UlidFactory((length) => systemRandom.bytes(length));

export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'mneme-git-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The machine's own git settings must not decide whether a test passes. */
export function isolateFromMachine(): void {
  vi.stubEnv('GIT_CONFIG_GLOBAL', os.devNull);
  vi.stubEnv('GIT_CONFIG_NOSYSTEM', '1');
}

export async function makeRepository(options: Partial<InitOptions> = {}): Promise<Git> {
  isolateFromMachine();
  const workTree = options.workTree ?? temporaryFolder();
  const { git } = await initRepository({
    workTree,
    gitDir: path.join(workTree, '.git'),
    kind: 'workspace',
    branch: 'main',
    nowMs: TEST_TIME_MS - 86_400_000,
    ...options,
  });
  return git;
}

export function writeFile(git: Git, file: string, content: string | Uint8Array): void {
  const full = path.join(git.location.workTree, file);
  mkdirSync(path.dirname(full), { recursive: true });
  writeFileSync(full, content);
}

export function readFile(git: Git, file: string): string {
  return readFileSync(path.join(git.location.workTree, file), 'utf8');
}

/** git as a person types it: in the folder, without Mneme's arguments and environment. */
export async function typeGit(git: Git, ...args: string[]): Promise<string> {
  const result = await run('git', args, { cwd: git.location.workTree });
  if (result.code !== 0) throw new Error(`git ${args.join(' ')}: ${result.stderr}`);
  return result.stdout.toString('utf8').trim();
}

export interface TestCommit {
  readonly files: Readonly<Record<string, string | Uint8Array | undefined>>;
  readonly summary?: string | undefined;
  readonly timeMs?: number | undefined;
  readonly trailers?: Trailers | undefined;
}

/** A commit as the drain would make it; returns its mutation. */
export async function commitMutation(git: Git, commit: TestCommit): Promise<string> {
  const timeMs = commit.timeMs ?? TEST_TIME_MS;
  const mutation = ulids.next(timeMs);
  const [file = ''] = Object.keys(commit.files);
  const trailers = { Mutation: [mutation], Actor: ['bot:test'], Approval: ['auto'], ...commit.trailers };
  const message = serializeCommitMessage(mutationSubject('EDIT', file, commit.summary ?? 'changed'), trailers);
  await commitFiles(git, commit.files, message, timeMs);
  return mutation;
}

export async function commitFiles(
  git: Git,
  files: TestCommit['files'],
  message: string,
  timeMs = TEST_TIME_MS,
): Promise<string> {
  for (const [file, content] of Object.entries(files)) {
    if (content === undefined) rmSync(path.join(git.location.workTree, file));
    else writeFile(git, file, content);
  }
  await git.bytes(['add', '--all']);
  const date = `@${Math.floor(timeMs / 1000)} +0000`;
  await git.bytes(['commit', '--quiet', '--no-verify', '--allow-empty', '--file=-'], {
    input: message,
    env: { GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date },
  });
  return git.text(['rev-parse', 'HEAD']);
}

/** The id of a pull in tests that do not look at it. */
export const TEST_MUTATION = '01KHPXK7V5T9QZ3M8N2R4W6Y0A';

/** Publishes by stock git, which refuses rather than overwrite what is not committed. */
export function fastForwardWith(git: Git): PublishPull {
  return async (plan) => {
    const result = await git.attempt(['merge', '--ff-only', '--quiet', plan.commit]);
    if (result.code === 0) return true;
    if (/Not possible to fast-forward/i.test(result.stderr)) return false;
    throw new MnemeError('conflict', result.stderr);
  };
}

/** Begins an exploration by stock git; the workspace does it beside running writers. */
export async function startExploration(
  git: Git,
  options: { readonly name: string; readonly nowMs: number },
): Promise<Exploration> {
  await planExploration(git, options);
  await git.bytes(['switch', '--quiet', '--create', `explore/${options.name}`]);
  return getExploration(git, options.name);
}
