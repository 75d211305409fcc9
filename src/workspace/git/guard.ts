import fs from 'node:fs';
import path from 'node:path';
import { errorMessage, MnemeError, systemCode } from '../../model/errors.ts';
import { parseConfig, type ConfigEntry } from './config-file.ts';

/** A repository's own settings, of which none starts a program while git only works on this machine's files. */
export interface VettedRepository {
  readonly entries: readonly ConfigEntry[];
}

/** No settings file of a person is near this; reading an endless one would stop everything. */
const MAX_CONFIG_BYTES = 1024 * 1024;

interface Rule {
  readonly keys: RegExp;
  readonly why: string;
}

/** Settings that no other setting takes back: a repository that has one is not used at all. */
const REFUSED: readonly Rule[] = [
  {
    keys: /^(?:extensions\.partialclone|remote\..*\.(?:promisor|partialclonefilter))$/su,
    why: 'git would fetch missing objects with a program that this repository names',
  },
  { keys: /^(?:include|includeif\..*)\.path$/su, why: 'it brings in settings from another file' },
  { keys: /^remote\..*\.vcs$/su, why: 'git would start a program of that name to reach the remote' },
  { keys: /^core\.alternaterefscommand$/su, why: 'git would run it while it fetches' },
  { keys: /^gc\.recentobjectshook$/su, why: 'git would run it while it packs' },
  { keys: /^hook\..*\.command$/su, why: 'git would run it as a hook' },
];

/** Settings that count only on the way to a remote; the person's own, outside of the repository, are used as ever. */
const REFUSED_WITH_REMOTES: readonly Rule[] = [
  {
    keys: /^(?:core\.(?:sshcommand|gitproxy|askpass)|credential\.(?:.*\.)?helper)$/su,
    why: 'git would run it to reach the remote',
  },
  { keys: /^remote\..*\.(?:uploadpack|receivepack)$/su, why: 'git would run it as the other side of the remote' },
  { keys: /^(?:remote\..*\.proxy|url\..*\.(?:push)?insteadof)$/su, why: 'it leads to another place than the address' },
];

/** What the receiving side of a push would run, where it is a folder on this machine. */
const REFUSED_WHEN_RECEIVING: readonly Rule[] = [
  {
    keys: /^(?:core\.(?:hookspath|fsmonitor)|filter\..*\.(?:clean|smudge|process))$/su,
    why: 'git would run it in the remote, which is a folder on this machine',
  },
];

const RECEIVING_HOOKS = [
  'pre-receive',
  'update',
  'proc-receive',
  'post-receive',
  'post-update',
  'push-to-checkout',
  'post-checkout',
  'post-index-change',
  'reference-transaction',
  'pre-auto-gc',
] as const;

const seen = new Map<string, { readonly stamp: string; readonly vetted: VettedRepository }>();

/**
 * Reads what a git directory says of itself, without git, and refuses one that could make git start a program. Looks at
 * the files again only when they changed: this comes before every git command.
 */
export function vetRepository(gitDir: string, borrowsFrom?: string): VettedRepository {
  const common = findCommonFolder(gitDir);
  const files = [path.join(common, 'config'), path.join(gitDir, 'config.worktree')];
  const alternates = path.join(common, 'objects', 'info', 'alternates');
  const stamp = [common, ...[...files, alternates].map(stampOf)].join();
  const known = seen.get(gitDir);
  if (known?.stamp === stamp) return known.vetted;
  const entries = files.flatMap((file) => readEntries(file));
  refuseMatching(entries, REFUSED);
  const borrowed = readSmallFile(alternates)?.trim() ?? '';
  if (borrowed !== '' && borrowed !== borrowsFrom) {
    throw new MnemeError('refused', `${alternates} makes this repository read its history from ${borrowed}.`, {
      hint: 'If that is yours, copy it over with `git repack -a -d`; then delete the file.',
    });
  }
  const vetted = { entries };
  seen.set(gitDir, { stamp, vetted });
  return vetted;
}

/** Before a command that talks to a remote; one that is a folder on this machine is a repository like any other. */
export function vetRemote({ entries }: VettedRepository, workTree: string, remote: string, isPush: boolean): void {
  refuseMatching(entries, REFUSED_WITH_REMOTES);
  const keys = new Set([`remote.${remote}.url`, `remote.${remote}.pushurl`]);
  const addresses = entries.filter(({ key }) => keys.has(key)).map(({ value }) => value);
  for (const address of addresses.length === 0 ? [remote] : addresses) {
    const folder = findLocalFolder(address);
    if (folder === undefined) continue;
    const full = path.resolve(workTree, folder);
    // The places where git looks for the repository that a path names.
    for (const gitDir of [path.join(full, '.git'), full, path.join(`${full}.git`, '.git'), `${full}.git`]) {
      const isThere = gitDir.endsWith('.git') ? fs.existsSync(gitDir) : fs.existsSync(path.join(gitDir, 'HEAD'));
      if (isThere) vetOtherSide(gitDir, isPush);
    }
  }
}

function vetOtherSide(gitDir: string, isPush: boolean): void {
  const vetted = vetRepository(gitDir);
  if (!isPush) return;
  refuseMatching(vetted.entries, REFUSED_WHEN_RECEIVING);
  const hook = RECEIVING_HOOKS.map((name) => path.join(gitDir, 'hooks', name)).find((file) => fs.existsSync(file));
  if (hook === undefined) return;
  throw new MnemeError('refused', `The remote's hook ${hook} would run on this machine, so nothing is sent there.`, {
    hint: 'Delete the hook, or reach the remote through ssh, where its hooks run on its own side.',
  });
}

/** The path that git would take for a folder of this machine; undefined for what it reaches by a network. */
function findLocalFolder(address: string): string | undefined {
  if (address.startsWith('file://')) return decodeAddress(address.slice('file://'.length));
  if (/^[a-z]:[\\/]/iu.test(address)) return address;
  return /^[^/]*:/u.test(address) ? undefined : address;
}

function decodeAddress(text: string): string {
  // Letter by letter as git does it: a lone percent sign is no error.
  const bytes = text.replaceAll(/%([0-9a-f]{2})/giu, (_, code: string) =>
    String.fromCodePoint(Number.parseInt(code, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

function refuseMatching(entries: readonly ConfigEntry[], rules: readonly Rule[]): void {
  for (const { key, value, file, line } of entries) {
    const rule = rules.find(({ keys }) => keys.test(key));
    if (rule === undefined || value === 'false') continue;
    const unset = `git config --file '${file}' --unset-all '${key}'`;
    throw new MnemeError('refused', `${file} sets ${key} (line ${line}): ${rule.why}, so Mneme does not use it.`, {
      hint: `Remove it: \`${unset}\`. What you need for your own remotes belongs in your ~/.gitconfig.`,
    });
  }
}

/** Where a linked work tree keeps its settings; only the repository that it lies in is believed. */
function findCommonFolder(gitDir: string): string {
  const stat = fs.statSync(gitDir, { throwIfNoEntry: false });
  if (stat !== undefined && !stat.isDirectory()) {
    throw new MnemeError('refused', `${gitDir} is not a folder: it leads git to a repository elsewhere.`, {
      hint: 'Put the git directory itself there, or name it as workspace.git_dir in mneme.yaml.',
    });
  }
  const given = readSmallFile(path.join(gitDir, 'commondir'))?.trim();
  if (given === undefined) return gitDir;
  const common = path.resolve(gitDir, given);
  if (path.dirname(gitDir) === path.join(common, 'worktrees')) return common;
  throw new MnemeError('refused', `${path.join(gitDir, 'commondir')} leads to another repository, ${common}.`, {
    hint: 'Delete that file if this is a repository of its own.',
  });
}

function readEntries(file: string): ConfigEntry[] {
  const text = readSmallFile(file);
  return text === undefined ? [] : parseConfig(text, file);
}

/** The text of a plain file; a pipe would be waited for, a device never end. */
function readSmallFile(file: string): string | undefined {
  const handle = openWithoutWaiting(file);
  if (handle === undefined) return undefined;
  try {
    const stat = fs.fstatSync(handle);
    if (!stat.isFile()) throw unreadable(file, 'it is not a plain file');
    if (stat.size > MAX_CONFIG_BYTES) throw unreadable(file, `it has ${stat.size} bytes, more than settings need`);
    const bytes = fs.readFileSync(handle);
    const text = bytes.toString('utf8');
    if (bytes.includes(0) || !Buffer.from(text, 'utf8').equals(bytes)) throw unreadable(file, 'it is not UTF-8 text');
    return text.replace(/^\u{FEFF}/u, '');
  } finally {
    fs.closeSync(handle);
  }
}

function openWithoutWaiting(file: string): number | undefined {
  try {
    // Windows has neither pipes in folders nor this flag.
    return fs.openSync(file, fs.constants.O_RDONLY | (fs.constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw unreadable(file, errorMessage(error), error);
  }
}

function unreadable(file: string, why: string, cause?: unknown): MnemeError {
  return new MnemeError('refused', `${file} is not used: ${why}.`, {
    hint: 'Look at it; if it is not yours, delete it or restore the repository from a backup.',
    cause,
  });
}

function stampOf(file: string): string {
  try {
    const stat = fs.statSync(file, { throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}:${stat.ctimeMs}`;
  } catch (error) {
    if (isMissing(error)) return '';
    throw unreadable(file, errorMessage(error), error);
  }
}

/** A file where a folder is expected means that what is named in it is not there either. */
function isMissing(error: unknown): boolean {
  return systemCode(error) === 'ENOENT' || systemCode(error) === 'ENOTDIR';
}
