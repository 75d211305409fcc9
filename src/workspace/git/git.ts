import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { Conversation, run, start, type RunOptions, type RunResult } from '../../platform/process.ts';

/**
 * Stronger than what a repository says of itself: one that was copied from elsewhere brings hooks and commands along, and
 * git would run them for us. A person's own git commands are left as they are.
 */
const OWN_SETTINGS: readonly (readonly [key: string, value: string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
];

/** Settings as git takes them from the environment, in front of ours. */
export function settingsEnvironment(settings: readonly (readonly [key: string, value: string])[] = []) {
  const all = [...settings, ...OWN_SETTINGS];
  const pairs = all.flatMap(([key, value], at) => [
    [`GIT_CONFIG_KEY_${at}`, key],
    [`GIT_CONFIG_VALUE_${at}`, value],
  ]);
  return { GIT_CONFIG_COUNT: String(all.length), ...Object.fromEntries(pairs) } as Readonly<Record<string, string>>;
}

/** Variables that would redirect git away from the repository we name, or make its output depend on the user. */
const CLEAN_ENV: Readonly<Record<string, string | undefined>> = {
  GIT_DIR: undefined,
  GIT_WORK_TREE: undefined,
  GIT_INDEX_FILE: undefined,
  GIT_OBJECT_DIRECTORY: undefined,
  GIT_ALTERNATE_OBJECT_DIRECTORIES: undefined,
  GIT_NAMESPACE: undefined,
  GIT_PREFIX: undefined,
  GIT_EXTERNAL_DIFF: undefined,
  GIT_TERMINAL_PROMPT: '0',
  GIT_OPTIONAL_LOCKS: '0',
  LC_ALL: 'C',
  ...settingsEnvironment(),
};

/** Where a repository lives. The git directory may stand outside the work tree (an adopted folder stays untouched). */
export interface GitLocation {
  readonly gitDir: string;
  readonly workTree: string;
}

/** Stock git, run on one repository. */
export class Git {
  readonly location: GitLocation;

  constructor(location: GitLocation) {
    this.location = location;
  }

  /** Runs git and returns whatever it did, exit code included. */
  async attempt(args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
    try {
      return await run('git', [...this.#place(), ...args], {
        cwd: this.location.workTree,
        ...options,
        env: { ...CLEAN_ENV, ...options.env },
      });
    } catch (error) {
      if (systemCode(error) === 'ENOENT' && !existsSync(this.location.workTree)) {
        throw new MnemeError('not-found', `The folder ${this.location.workTree} is missing.`, {
          hint: 'Restore it from a backup or a remote; its history is in its git directory.',
          cause: error,
        });
      }
      if (systemCode(error) === 'ENOENT') {
        throw new MnemeError('failure', 'git could not be started.', {
          hint: 'Install git 2.36 or newer and make sure it is on the PATH; `mneme doctor` checks it.',
          cause: error,
        });
      }
      throw error;
    }
  }

  /** Starts git for a caller that reads and writes its streams piece by piece. */
  start(args: readonly string[]): ChildProcessWithoutNullStreams {
    return start('git', [...this.#place(), ...args], { cwd: this.location.workTree, env: CLEAN_ENV });
  }

  /** Starts git for a caller that asks and hears an answer, line by line. */
  converse(args: readonly string[]): Conversation {
    return new Conversation('git', [...this.#place(), ...args], { cwd: this.location.workTree, env: CLEAN_ENV });
  }

  /** Runs git and returns standard output as bytes; a non-zero exit throws with what git said. */
  async bytes(args: readonly string[], options: RunOptions = {}): Promise<Buffer> {
    const result = await this.attempt(args, options);
    if (result.code !== 0) throw gitError(args, result);
    return result.stdout;
  }

  /** As `bytes`, decoded, without the final line end. */
  async text(args: readonly string[], options: RunOptions = {}): Promise<string> {
    return (await this.bytes(args, options)).toString('utf8').replace(/\n$/, '');
  }

  /** Output split at NUL, for `-z` formats. */
  async fields(args: readonly string[], options: RunOptions = {}): Promise<string[]> {
    const text = (await this.bytes(args, options)).toString('utf8');
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }

  #place(): string[] {
    return [`--git-dir=${this.location.gitDir}`, `--work-tree=${this.location.workTree}`];
  }
}

export function gitError(args: readonly string[], result: RunResult): MnemeError {
  const said = result.stderr.trim().split('\n').slice(-3).join(' ');
  return new MnemeError('failure', `git ${args[0] ?? ''} failed (exit ${result.code}): ${said || 'no message'}`);
}
