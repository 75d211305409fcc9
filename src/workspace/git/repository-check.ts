import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import type { RepositoryName } from '../journal/record.ts';
import type { Git } from './git.ts';
import { checkHooks } from './hooks.ts';
import { infoFile, KIND_SETTING, SETTINGS } from './repository.ts';
import { attributeLines, excludeLines, hasManagedLines, readLocalSettings } from './settings.ts';

export type RepositoryFindingCode =
  | 'missing'
  | 'setting'
  | 'exclude'
  | 'attributes'
  | 'hooks'
  | 'detached-head'
  | 'unmerged-index'
  | 'unfinished-operation'
  | 'stale-lock';

export interface RepositoryFinding {
  readonly code: RepositoryFindingCode;
  readonly message: string;
  readonly hint: string;
  /** `initRepository` or `installHooks` puts it right; the others need a person. */
  readonly isRepairable: boolean;
}

export interface CheckOptions {
  readonly kind: RepositoryName;
  readonly nowMs: number;
}

/** git holds its locks for moments; one this old has lost its owner. */
const STALE_LOCK_MS = 60_000;

const LOCK_FILES = ['index.lock', 'HEAD.lock', 'packed-refs.lock', 'config.lock'];

const UNFINISHED: Readonly<Record<string, string>> = {
  MERGE_HEAD: 'a merge',
  REVERT_HEAD: 'a revert',
  CHERRY_PICK_HEAD: 'a cherry-pick',
  'rebase-merge': 'a rebase',
  'rebase-apply': 'a rebase',
};

export async function checkRepository(git: Git, options: CheckOptions): Promise<RepositoryFinding[]> {
  if (!existsSync(path.join(git.location.gitDir, 'HEAD'))) {
    const message = `${git.location.gitDir} is not a git repository.`;
    return [{ code: 'missing', message, hint: 'Run `mneme init` or restore a backup.', isRepairable: true }];
  }
  return [
    ...(await checkSettings(git, options.kind)),
    ...checkInfoFiles(git, options.kind),
    ...(await checkHooks(git)).map((message): RepositoryFinding => ({
      code: 'hooks',
      message,
      hint:
        options.kind === 'raw'
          ? 'Run `mneme check --repair`; until then a commit of yours may change transcripts.'
          : 'Run `mneme init` again; until then a commit of yours is not checked.',
      isRepairable: true,
    })),
    ...(await checkHead(git)),
    ...(await checkIndex(git)),
    ...checkLeftovers(git, options.nowMs),
  ];
}

async function checkSettings(git: Git, kind: RepositoryName): Promise<RepositoryFinding[]> {
  const present = await readLocalSettings(git);
  return Object.entries({ ...SETTINGS, [KIND_SETTING]: kind })
    .filter(([key, value]) => present.get(key) !== value)
    .map(([key, value]) => ({
      code: 'setting',
      message: `git's setting ${key} is ${present.get(key) ?? 'not set'}, not ${value}.`,
      hint: 'Run `mneme check --repair`.',
      isRepairable: true,
    }));
}

function checkInfoFiles(git: Git, kind: RepositoryName): RepositoryFinding[] {
  const findings: RepositoryFinding[] = [];
  const hint = 'Run `mneme check --repair`.';
  if (!hasManagedLines(infoFile(git, 'exclude'), excludeLines(kind))) {
    const message = 'Files that must stay out of the history (secrets, temporary files) are not excluded.';
    findings.push({ code: 'exclude', message, hint, isRepairable: true });
  }
  const attributes = infoFile(git, 'attributes');
  if (![true, false].some((withLfs) => hasManagedLines(attributes, attributeLines(withLfs)))) {
    const message = 'git may convert line ends: its attributes do not say that bytes stay as they are.';
    findings.push({ code: 'attributes', message, hint, isRepairable: true });
  }
  return findings;
}

async function checkHead(git: Git): Promise<RepositoryFinding[]> {
  if ((await git.attempt(['symbolic-ref', '--quiet', 'HEAD'])).code === 0) return [];
  const message = 'HEAD is detached: new commits would belong to no branch.';
  return [{ code: 'detached-head', message, hint: 'Run `git switch main`.', isRepairable: false }];
}

async function checkIndex(git: Git): Promise<RepositoryFinding[]> {
  const unmerged = (await git.fields(['ls-files', '--unmerged', '-z'])).map((line) =>
    line.slice(line.indexOf('\t') + 1),
  );
  if (unmerged.length === 0) return [];
  const message = `A merge left conflicts in ${[...new Set(unmerged)].join(', ')}.`;
  const hint = 'Settle them and commit, or run `git merge --abort`.';
  return [{ code: 'unmerged-index', message, hint, isRepairable: false }];
}

function checkLeftovers(git: Git, nowMs: number): RepositoryFinding[] {
  const findings: RepositoryFinding[] = [];
  for (const [name, what] of Object.entries(UNFINISHED)) {
    if (!existsSync(path.join(git.location.gitDir, name))) continue;
    const message = `A person's git has ${what} under way.`;
    findings.push({ code: 'unfinished-operation', message, hint: 'Finish or abort it.', isRepairable: false });
  }
  for (const name of LOCK_FILES) {
    const file = path.join(git.location.gitDir, name);
    const stat = statSync(file, { throwIfNoEntry: false });
    if (stat === undefined || nowMs - stat.mtimeMs < STALE_LOCK_MS) continue;
    const message = `${file} has been there for ${Math.round((nowMs - stat.mtimeMs) / 60_000)} minutes.`;
    const hint = 'If no git command is running, its owner died: delete the file.';
    findings.push({ code: 'stale-lock', message, hint, isRepairable: false });
  }
  return findings;
}
