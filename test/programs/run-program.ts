import { spawn } from 'node:child_process';
import path from 'node:path';

export interface Ended {
  readonly code: number | null;
  /** Both streams together. */
  readonly out: string;
}

/** Variables of this shell that a program may see: its own settings must not come from here. */
const KEPT = new Set(['PATH', 'LANG', 'TMPDIR']);

export function plainEnvironment(): Readonly<Record<string, string>> {
  const entries = Object.entries(process.env).filter(([name, value]) => KEPT.has(name) && value !== undefined);
  return Object.fromEntries(entries as [string, string][]);
}

/** Runs a program to its end, without a terminal; one that takes too long is ended, with everything it started. */
export function runProgram(
  command: string,
  args: readonly string[],
  {
    cwd,
    env,
    limitMs,
  }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>>; readonly limitMs: number },
): Promise<Ended> {
  return new Promise((resolve) => {
    // The Node of this process first: some of the programs need a newer one than the system has.
    const search = `${path.dirname(process.execPath)}${path.delimiter}${env['PATH'] ?? ''}`;
    const options = { cwd, env: { ...env, PATH: search }, detached: true } as const;
    const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
    let out = '';
    const hear = (chunk: Buffer): void => void (out += chunk.toString('utf8'));
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    const timer = setTimeout(() => {
      out += `\n(ended after ${limitMs / 1000} s)`;
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
    }, limitMs);
    const finish = (code: number | null): void => {
      clearTimeout(timer);
      resolve({ code, out });
    };
    child.on('error', (error) => {
      out += String(error);
      finish(null);
    });
    child.on('close', finish);
  });
}
