import fs from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';
import { errorMessage, MnemeError, systemCode } from '../../model/errors.ts';
import { readPlainFile } from '../../platform/plain-file.ts';
import { quotePath } from '../safety/paths.ts';
import { parseConfig, type ConfigEntry } from './config-file.ts';

/** A repository's own settings, of which none starts a program while git only works on this machine's files. */
export interface VettedRepository {
  readonly entries: readonly ConfigEntry[];
  /** The folder that holds settings, hooks and objects; another one than the git directory only for a linked work tree. */
  readonly common: string;
}

/** No settings file of a person is near this; reading an endless one would stop everything. */
const MAX_CONFIG_BYTES = 1024 * 1024;

export interface Rule {
  readonly keys: RegExp;
  readonly why: string;
  /** Values that switch the setting off; every other value is refused. */
  readonly harmless?: RegExp;
}

/** Settings that no other setting takes back: a repository that has one is not used at all. */
const REFUSED: readonly Rule[] = [
  {
    keys: /^remote\..*\.promisor$/su,
    why: 'git would fetch missing objects with a program that this repository names',
    harmless: /^false$/u,
  },
  {
    keys: /^(?:extensions\.partialclone|remote\..*\.partialclonefilter)$/su,
    why: 'git would fetch missing objects with a program that this repository names',
  },
  { keys: /^(?:include|includeif\..*)\.path$/su, why: 'it brings in settings from another file' },
  { keys: /^remote\..*\.vcs$/su, why: 'git would start a program of that name to reach the remote' },
  { keys: /^core\.alternaterefscommand$/su, why: 'git would run it while it fetches' },
  { keys: /^gc\.recentobjectshook$/su, why: 'git would run it while it packs' },
  { keys: /^hook\..*\.command$/su, why: 'git would run it as a hook' },
];

const seen = new Map<string, { readonly stamp: string; readonly vetted: VettedRepository }>();

/**
 * Reads what a git directory says of itself, without git, and refuses one that could make git start a program. Looks at
 * the files again only when they changed: this comes before every git command.
 */
export function vetRepository(gitDir: string, borrowsFrom?: string): VettedRepository {
  const common = findCommonFolder(gitDir);
  const name = JSON.stringify([gitDir, borrowsFrom]);
  const files = [path.join(common, 'config'), path.join(gitDir, 'config.worktree')];
  const alternates = path.join(common, 'objects', 'info', 'alternates');
  const read = READ_BY_ALL.map((name) => path.join(common, 'info', name));
  const stamp = [common, ...[...files, alternates, ...read].map(stampOf)].join();
  const known = seen.get(name);
  if (known?.stamp === stamp) return known.vetted;
  const entries = files.flatMap((file) => readEntries(file));
  refuseMatching(entries, REFUSED);
  const borrowed = readSmallFile(alternates)?.replace(/\n+$/u, '') ?? '';
  if (borrowed !== '' && borrowed !== borrowsFrom) {
    throw new MnemeError('refused', `${alternates} makes this repository read its history from ${borrowed}.`, {
      hint: 'If that is yours, copy it over with `git repack -a -d`; then delete the file.',
    });
  }
  for (const file of read) if (statOf(file)?.isFile() === false) throw unreadable(file, 'it is not a plain file');
  const vetted = { entries, common };
  seen.set(name, { stamp, vetted });
  return vetted;
}

export function refuseMatching(entries: readonly ConfigEntry[], rules: readonly Rule[]): void {
  for (const { key, value, file, line } of entries) {
    const rule = rules.find(({ keys }) => keys.test(key));
    if (rule === undefined || rule.harmless?.test(value) === true) continue;
    const shown = quotePath(key);
    throw new MnemeError('refused', `${file} sets ${shown} (line ${line}): ${rule.why}, so Mneme does not use it.`, {
      // No command to copy: the key is a text of whoever made the repository.
      hint: 'Delete that setting in an editor. What you need for your own remotes belongs in your ~/.gitconfig.',
    });
  }
}

/** Finds the folder with the settings of a linked work tree; it must belong to the repository that contains `gitDir`. */
function findCommonFolder(gitDir: string): string {
  if (statOf(gitDir)?.isDirectory() === false) {
    throw new MnemeError('refused', `${gitDir} is not a folder: it leads git to a repository elsewhere.`, {
      hint: 'Put the git directory itself there, or name it as workspace.git_dir in mneme.yaml.',
    });
  }
  const file = path.join(gitDir, 'commondir');
  // Only line ends are left out, as git does it.
  const given = readSmallFile(file)?.replace(/[\r\n]+$/u, '');
  if (given === undefined) return gitDir;
  const common = findRealPath(path.isAbsolute(given) ? given : `${gitDir}/${given}`);
  if (common !== undefined && path.dirname(findRealPath(gitDir) ?? '') === path.join(common, 'worktrees'))
    return common;
  throw new MnemeError('refused', `${file} leads to another repository, ${quotePath(given)}.`, {
    hint: 'Delete that file if this is a repository of its own.',
  });
}

/** The path without links. The native call, because the other one takes `link/..` for the folder that the link is in. */
export function findRealPath(file: string): string | undefined {
  try {
    return fs.realpathSync.native(file);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(file, errorMessage(error), error);
  }
}

/** Files in `info` that git reads with nearly every command: it would wait for a pipe there. */
const READ_BY_ALL = ['exclude', 'attributes', 'sparse-checkout', 'grafts'] as const;

/** Files that git reads for one command and that no other setting takes back. */
const READ_BY_ONE: Readonly<Record<string, string>> = {
  'blame.ignorerevsfile': 'blame',
  'fsck.skiplist': 'fsck',
  'fetch.fsck.skiplist': 'fetch',
};

/** Before a command that would wait for a pipe, or fail for a file that is missing. */
export function vetNamedFiles({ entries }: VettedRepository, workTree: string, command: string): void {
  for (const { key, value, file, line } of entries) {
    if (READ_BY_ONE[key] !== command || value === '' || isPlainFile(workTree, value)) continue;
    throw new MnemeError('refused', `${file} sets ${key} (line ${line}) to ${quotePath(value)}, which is not a file.`, {
      hint: 'Delete that setting in an editor, or put the file there.',
    });
  }
}

/** A file as a setting names it; relative to the work tree, in which git runs. */
export function isPlainFile(workTree: string, value: string): boolean {
  const given = value.replace(/^~(?=\/)/u, homedir());
  return statOf(path.isAbsolute(given) ? given : `${workTree}/${given}`)?.isFile() === true;
}

function readEntries(file: string): ConfigEntry[] {
  const text = readSmallFile(file);
  return text === undefined ? [] : parseConfig(text.replace(/^\u{FEFF}/u, ''), file);
}

/** The text of a plain file; undefined when there is none. */
function readSmallFile(file: string): string | undefined {
  const found = readPlainFile(file, MAX_CONFIG_BYTES);
  switch (found.kind) {
    case 'missing':
      return undefined;
    case 'failed':
      throw unreadable(file, errorMessage(found.error), found.error);
    case 'special':
      throw unreadable(file, 'it is not a plain file');
    case 'large':
      throw unreadable(file, `it has ${found.size} bytes, more than settings need`);
    case 'bytes':
      break;
  }
  const text = found.bytes.toString('utf8');
  if (found.bytes.includes(0) || !Buffer.from(text, 'utf8').equals(found.bytes))
    throw unreadable(file, 'it is not UTF-8 text');
  return text;
}

function unreadable(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('refused', `${file} is not used: ${why}.`, {
    hint: 'Look at it; if it is not yours, delete it or restore the repository from a backup.',
    cause,
  });
}

function stampOf(file: string): string {
  const stat = statOf(file);
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
}

export function statOf(file: string): fs.Stats | undefined {
  try {
    return fs.statSync(file, { throwIfNoEntry: false });
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(file, errorMessage(error), error);
  }
}

/** A file where a folder is expected means that what is named in it is not there either. */
function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}
