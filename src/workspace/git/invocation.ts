import { variableNames } from '../../platform/environment.ts';
import type { RunOptions } from '../../platform/process.ts';
import { isPlainFile, vetNamedFiles, vetRepository, type VettedRepository } from './guard.ts';
import { vetRemote } from './remote-guard.ts';

export type SettingPair = readonly [key: string, value: string];

/** Where a repository lives. The git directory may stand outside the work tree (an adopted folder stays untouched). */
export interface GitLocation {
  readonly gitDir: string;
  readonly workTree: string;
  /** The objects folder of another repository that this one reads from, because Mneme made it so. */
  readonly borrowsFrom?: string | undefined;
}

export interface GitOptions extends RunOptions {
  /** For this command; those that keep a repository from starting programs are stronger. */
  readonly settings?: readonly SettingPair[] | undefined;
}

export interface Invocation {
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** A file that is there on every machine and is no program. */
const NOTHING = '/dev/null';

/**
 * Stronger than what a repository says of itself: one that was copied from elsewhere brings hooks and commands along, and
 * git would run them for us. A person's own git commands are left as they are. docs/security.md has the whole list.
 */
const OWN_SETTINGS: readonly SettingPair[] = [
  ['core.hooksPath', NOTHING],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.attributesFile', NOTHING],
  ['mailmap.file', NOTHING],
  ['diff.orderFile', NOTHING],
  ['log.showSignature', 'false'],
  ['format.pretty', 'medium'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['tag.forceSignAnnotated', 'false'],
  ['push.gpgSign', 'false'],
  ['gpg.program', NOTHING],
  ['gpg.openpgp.program', NOTHING],
  ['gpg.x509.program', NOTHING],
  ['gpg.ssh.program', NOTHING],
  ['gpg.ssh.defaultKeyCommand', NOTHING],
  ['submodule.recurse', 'false'],
  ['fetch.recurseSubmodules', 'false'],
  ['push.recurseSubmodules', 'no'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // For GIT_GRAFT_FILE below: the hint would be part of every error.
  ['advice.graftFileDeprecated', 'false'],
  // The only command of ours that is not part of git itself: an alias could take its name.
  ['alias.lfs', ''],
];

/** Read by git from the surroundings before any setting; the editor ":" is none at all. */
const OWN_VARIABLES: Readonly<Record<string, string>> = {
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_NO_LAZY_FETCH: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: NOTHING,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_PAGER: 'cat',
  GIT_EDITOR: ':',
  GIT_SEQUENCE_EDITOR: ':',
  LC_ALL: 'C',
};

/** Variables of a person's environment that git may see: who they are and where their own settings are. */
const KEPT = /^GIT_(?:CONFIG_(?:GLOBAL|SYSTEM|NOSYSTEM)|(?:AUTHOR|COMMITTER)_\w+|SSL_\w+|HTTP_\w+)$/u;

/** And how their machine lets them in where they sync. */
const KEPT_WITH_REMOTES = /^GIT_(?:SSH|SSH_COMMAND|SSH_VARIANT|ASKPASS)$/u;

/** Every way to a remote that starts no program of the address's choosing (`ext::`, `anything::`). */
const PROTOCOLS = 'file:git:http:https:ssh';

const DIFF_OPTIONS = ['--no-ext-diff', '--no-textconv'];

/** Drivers that attributes choose are never asked how to show a file. */
const SAFE_OPTIONS: Readonly<Record<string, readonly string[]>> = {
  log: DIFF_OPTIONS,
  show: DIFF_OPTIONS,
  diff: DIFF_OPTIONS,
  'diff-tree': DIFF_OPTIONS,
  'diff-index': DIFF_OPTIONS,
  'diff-files': DIFF_OPTIONS,
  blame: ['--no-textconv'],
};

const TALKING: ReadonlySet<string> = new Set(['fetch', 'push', 'ls-remote']);

/**
 * The one place where a git command line and its environment are made. Throws for a repository whose own settings could
 * make git start a program.
 */
export function planInvocation(location: GitLocation, args: readonly string[], options: GitOptions = {}): Invocation {
  const vetted = vetRepository(location.gitDir, location.borrowsFrom);
  const at = findCommand(args);
  const command = args[at] ?? '';
  const rest = args.slice(at + 1);
  const isTalking = TALKING.has(command);
  vetNamedFiles(vetted, location.workTree, command);
  if (isTalking) {
    const end = rest.indexOf('--');
    const remote = (end === -1 ? rest.find((arg) => !arg.startsWith('-')) : rest[end + 1]) ?? '';
    vetRemote(vetted, location.workTree, remote, command === 'push');
  }
  return {
    args: [
      `--git-dir=${location.gitDir}`,
      `--work-tree=${location.workTree}`,
      ...args.slice(0, at + 1),
      ...(SAFE_OPTIONS[command] ?? []),
      ...rest,
    ],
    env: {
      ...withoutForeignVariables(isTalking),
      ...OWN_VARIABLES,
      // An object that is missing is missing: without a protocol git cannot fetch it from wherever the settings say.
      GIT_ALLOW_PROTOCOL: isTalking ? PROTOCOLS : 'none',
      ...settingsEnvironment([...(options.settings ?? []), ...overrule(vetted, location.workTree), ...OWN_SETTINGS]),
      ...options.env,
    },
  };
}

/** The position of the command behind git's own options. */
export function findCommand(args: readonly string[]): number {
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += args[at] === '-c' ? 2 : 1;
  return at;
}

function withoutForeignVariables(isTalking: boolean): Record<string, undefined> {
  const foreign = variableNames('GIT_').filter(
    (name) => !KEPT.test(name) && !(isTalking && KEPT_WITH_REMOTES.test(name)),
  );
  return Object.fromEntries(foreign.map((name) => [name, undefined]));
}

/** Filters would be run on the files that a command compares, and a pipe with names to ignore would be waited for. */
function overrule({ entries }: VettedRepository, workTree: string): SettingPair[] {
  const excludes = entries.findLast(({ key }) => key === 'core.excludesfile');
  const isHarmless = excludes === undefined || isPlainFile(workTree, excludes.value);
  const ignored: SettingPair[] = isHarmless ? [] : [['core.excludesFile', NOTHING]];
  return [...filterSettings(entries.map(({ key }) => key)), ...ignored];
}

/** Settings that take filters back; an empty command is none. */
export function filterSettings(keys: readonly string[]): SettingPair[] {
  const filters = keys.filter((key) => /^filter\..*\.(?:clean|smudge|process|required)$/su.test(key));
  return filters.map((key) => [key, key.endsWith('.required') ? 'false' : '']);
}

/** Settings as git takes them from the environment, the last one of a name winning. */
function settingsEnvironment(settings: readonly SettingPair[]): Record<string, string> {
  const pairs = settings.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(settings.length), ...Object.fromEntries(pairs) } as Record<string, string>;
}
