import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { existsSync } from 'node:fs';
import { MnemeError, systemCode } from '../../model/errors.ts';
import { Conversation, run, start, type RunResult } from '../../platform/process.ts';
import { findCommand, planInvocation, type GitLocation, type GitOptions } from './invocation.ts';
import { MNEME, type CommitIdentity } from './identity.ts';

export type { GitLocation } from './invocation.ts';

/** `core.fsync` names what is synced from this version on. */
export const MINIMUM_GIT = [2, 36] as const;

/** Stock git, run on one repository. */
export class Git {
  readonly location: GitLocation;
  /** The author of Mneme's commits here. */
  readonly identity: CommitIdentity;

  constructor(location: GitLocation, identity = MNEME) {
    this.location = location;
    this.identity = identity;
  }

  /** Runs git and returns whatever it did, exit code included. */
  async attempt(args: readonly string[], options: GitOptions = {}): Promise<RunResult> {
    const { args: all, env } = planInvocation(this.location, args, options);
    try {
      return await run('git', all, { cwd: this.location.workTree, ...options, env });
    } catch (error) {
      if (systemCode(error) === 'ENOENT' && !existsSync(this.location.workTree)) {
        throw new MnemeError('not-found', `The folder ${this.location.workTree} is missing.`, {
          hint: 'Restore it from a backup or a remote; its history is in its git directory.',
          cause: error,
        });
      }
      if (systemCode(error) === 'ENOENT') {
        throw new MnemeError('failure', 'git could not be started.', {
          hint: `Install git ${MINIMUM_GIT.join('.')} or newer (apt install git, brew install git, https://git-scm.com) and make sure it is on the PATH.`,
          cause: error,
        });
      }
      throw error;
    }
  }

  /** Starts git for a caller that reads and writes its streams piece by piece. */
  start(args: readonly string[]): ChildProcessWithoutNullStreams {
    const { args: all, env } = planInvocation(this.location, args);
    return start('git', all, { cwd: this.location.workTree, env });
  }

  /** Starts git for a caller that asks and hears an answer, line by line. */
  converse(args: readonly string[]): Conversation {
    const { args: all, env } = planInvocation(this.location, args);
    return new Conversation('git', all, { cwd: this.location.workTree, env });
  }

  /** Runs git and returns standard output as bytes; a non-zero exit throws with what git said. */
  async bytes(args: readonly string[], options: GitOptions = {}): Promise<Buffer> {
    const result = await this.attempt(args, options);
    if (result.code !== 0) throw gitError(args, result);
    return result.stdout;
  }

  /** As `bytes`, decoded, without the final line end. */
  async text(args: readonly string[], options: GitOptions = {}): Promise<string> {
    return (await this.bytes(args, options)).toString('utf8').replace(/\n$/, '');
  }

  /** Output split at NUL, for `-z` formats. */
  async fields(args: readonly string[], options: GitOptions = {}): Promise<string[]> {
    const text = (await this.bytes(args, options)).toString('utf8');
    return text === '' ? [] : text.replace(/\0$/, '').split('\0');
  }
}

export function gitError(args: readonly string[], result: RunResult): MnemeError {
  const said = result.stderr.trim().split('\n').slice(-3).join(' ');
  return new MnemeError(
    'failure',
    `git ${args[findCommand(args)] ?? ''} failed (exit ${result.code}): ${said || 'no message'}`,
  );
}
