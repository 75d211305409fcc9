import { MnemeError } from '../../model/errors.ts';
import type { RunResult } from '../../platform/process.ts';
import { gitError, type Git } from './git.ts';
import { findSetting } from './settings.ts';

/** A pull over a slow line takes seconds; past this nobody answers. */
const DEFAULT_TIMEOUT_MS = 120_000;
/** The time that a killed git may take to close its pipes: an ssh it started can outlive it. */
const GRACE_MS = 2000;

export interface RemoteOptions {
  readonly remote: string;
  readonly timeoutMs?: number | undefined;
}

export interface RemoteAddress {
  readonly name: string;
  /** Without user name and password. */
  readonly url: string;
}

export async function listRemotes(git: Git): Promise<RemoteAddress[]> {
  const names = (await git.text(['remote'])).split('\n').filter((name) => name !== '');
  const remotes: RemoteAddress[] = [];
  for (const name of names) {
    const url = await git.text(['remote', 'get-url', name]);
    remotes.push({ name, url: url.replace(/\/\/[^/@]*@/, '//') });
  }
  return remotes;
}

export async function assertRemote(git: Git, name: string): Promise<void> {
  const remotes = await listRemotes(git);
  if (remotes.some((remote) => remote.name === name)) return;
  const others = remotes.length === 0 ? 'it has none' : `it has ${remotes.map((remote) => remote.name).join(', ')}`;
  throw new MnemeError('not-found', `This repository has no remote "${name}"; ${others}.`, {
    hint: `Add one: git -C ${git.location.workTree} remote add ${name} URL.`,
  });
}

/** Runs a git command that talks to a remote: never asks for a password, never waits for ever. */
export async function attemptRemote(git: Git, args: readonly string[], options: RemoteOptions): Promise<RunResult> {
  const timeoutMs = options.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<RunResult>((resolve) => {
    const silence = { code: 128, stdout: Buffer.alloc(0), stderr: TIMED_OUT };
    timer = setTimeout(() => resolve(silence), timeoutMs + GRACE_MS);
  });
  try {
    return await Promise.race([git.attempt([...(await sshArguments(git)), ...args], { timeoutMs }), late]);
  } finally {
    clearTimeout(timer);
  }
}

const TIMED_OUT = 'ended by SIGTERM';

/** An ssh that would ask for something would wait for ever; a command the person set themselves stays theirs. */
async function sshArguments(git: Git): Promise<string[]> {
  if ((await findSetting(git, 'core.sshCommand')) !== undefined) return [];
  return ['-c', 'core.sshCommand=ssh -o BatchMode=yes -o ConnectTimeout=20'];
}

interface RemoteFailure {
  readonly pattern: RegExp;
  readonly code: 'refused' | 'failure' | 'not-found';
  readonly problem: string;
  readonly hint: string;
}

const REMOTE_FAILURES: readonly RemoteFailure[] = [
  {
    pattern: /ended by SIG/,
    code: 'failure',
    problem: 'did not answer in time',
    hint: 'Nothing is lost: everything is committed here and goes out with the next sync.',
  },
  {
    pattern:
      /Authentication failed|could not read (?:Username|Password)|Permission denied|terminal prompts disabled|Host key verification failed|error: 40[13]|Invalid username/i,
    code: 'refused',
    problem: 'did not accept this machine',
    hint: 'Check the access token or ssh key by running `git fetch` in the workspace yourself once.',
  },
  {
    pattern: /does not appear to be a git repository|repository .*not found|not found: did you run/i,
    code: 'not-found',
    problem: 'is not a git repository',
    hint: 'Check the address with `git remote -v`; a new remote must be created empty first.',
  },
  {
    pattern:
      /Could not resolve|unable to access|Connection (?:refused|timed out|reset|closed)|unreachable|No route to host|early EOF|hung up/i,
    code: 'failure',
    problem: 'cannot be reached',
    hint: 'Nothing is lost: everything is committed here and goes out with the next sync.',
  },
];

const UNKNOWN_FAILURE: Omit<RemoteFailure, 'pattern'> = {
  code: 'failure',
  problem: 'cannot be used',
  hint: 'Run `git fetch` in the workspace yourself once: it says more. Everything is committed here and goes out with the next sync.',
};

export function remoteError(args: readonly string[], result: RunResult, remote: string): MnemeError {
  const cause = gitError(args, result);
  const failure = REMOTE_FAILURES.find(({ pattern }) => pattern.test(result.stderr));
  const { code, problem, hint } = failure ?? UNKNOWN_FAILURE;
  return new MnemeError(code, `The remote "${remote}" ${problem}. ${cause.message}`, { hint, cause });
}
