import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { assertNoNul } from './nul.ts';

export interface RunOptions {
  readonly cwd?: string | undefined;
  /** Added to the process's own environment; undefined removes a variable. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Written to standard input, piece by piece, with back-pressure. */
  readonly input?: string | Uint8Array | Iterable<string | Uint8Array> | undefined;
  readonly timeoutMs?: number | undefined;
}

export interface RunResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Starts a program whose streams the caller reads and writes itself. */
export function start(
  command: string,
  args: readonly string[],
  options: Pick<RunOptions, 'cwd' | 'env' | 'timeoutMs'> = {},
): ChildProcessWithoutNullStreams {
  assertNoNul(args);
  const env: NodeJS.ProcessEnv = { ...process.env };
  for (const [key, value] of Object.entries(options.env ?? {})) {
    if (value === undefined) delete env[key];
    else env[key] = value;
  }
  return spawn(command, args, {
    cwd: options.cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
}

/** Runs a program to its end. A program that cannot be started rejects; a non-zero exit is a result. */
export function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  return new Promise((resolve, reject) => {
    const child = start(command, args, options);
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const text = Buffer.concat(stderr).toString('utf8');
      const note = signal === null ? '' : `${text === '' ? '' : '\n'}ended by ${signal}`;
      resolve({ code: code ?? 128, stdout: Buffer.concat(stdout), stderr: text + note });
    });
    // A child that exits before reading all its input closes the pipe; its exit code tells the story, not EPIPE.
    child.stdin.on('error', () => undefined);
    writeInput(child.stdin, options.input).catch(reject);
  });
}

async function writeInput(stdin: NodeJS.WritableStream, input: RunOptions['input']): Promise<void> {
  if (input === undefined) {
    stdin.end();
    return;
  }
  const pieces = typeof input === 'string' || input instanceof Uint8Array ? [input] : input;
  for (const piece of pieces) {
    if (!stdin.writable) return;
    if (!stdin.write(piece)) {
      await new Promise<void>((resolve) => {
        const done = (): void => {
          stdin.off('drain', done);
          stdin.off('close', done);
          resolve();
        };
        stdin.on('drain', done);
        stdin.on('close', done);
      });
    }
  }
  stdin.end();
}
