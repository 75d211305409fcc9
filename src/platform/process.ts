import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { assertNoNul } from './nul.ts';
import { Companion, type RemoteProgram } from './programs/companion.ts';
import type { Closing, StartOrder } from './programs/frames.ts';
import { startProgram, writeWhenFree } from './programs/start.ts';

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

type StartOptions = Pick<RunOptions, 'cwd' | 'env' | 'timeoutMs'>;

/** Starts a program whose streams the caller reads and writes itself, however much they carry. */
export function start(
  command: string,
  args: readonly string[],
  options: StartOptions = {},
): ChildProcessWithoutNullStreams {
  return startProgram(orderOf(command, args, options));
}

/** Runs a program to its end. A program that cannot be started rejects; a non-zero exit is a result. */
export async function run(command: string, args: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const { program, result } = launch(command, args, options);
  const [ended] = await Promise.all([result, writeInput(program, options.input)]);
  return ended;
}

/** A program that is asked and answers, a little at a time. */
export class Conversation {
  readonly #program: RemoteProgram;
  #heard: Buffer[] = [];
  #wake: () => void = () => undefined;
  #isOver = false;
  readonly finished: Promise<RunResult>;

  constructor(command: string, args: readonly string[], options: StartOptions = {}) {
    const { program, result } = launch(command, args, options, (bytes) => {
      this.#heard.push(bytes);
      this.#wake();
    });
    this.#program = program;
    this.finished = result.finally(() => {
      this.#isOver = true;
      this.#wake();
    });
    // A caller that ends a conversation early does not wait for this; the rejection still reaches every caller that does.
    this.finished.catch(() => undefined);
  }

  say(text: string): Promise<void> {
    return this.#program.write(Buffer.from(text, 'utf8'));
  }

  /** The output since the last call; undefined when the program has ended. */
  async listen(): Promise<string | undefined> {
    while (this.#heard.length === 0) {
      if (this.#isOver) return undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const text = Buffer.concat(this.#heard).toString('utf8');
    this.#heard = [];
    return text;
  }

  end(): void {
    this.#program.end();
  }
}

interface Launched {
  readonly program: RemoteProgram;
  readonly result: Promise<RunResult>;
}

function launch(
  command: string,
  args: readonly string[],
  options: StartOptions,
  onOutput?: (bytes: Buffer) => void,
): Launched {
  const order = orderOf(command, args, options);
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  const { promise: result, resolve, reject } = Promise.withResolvers<RunResult>();
  const listener = {
    onOutput: onOutput ?? ((bytes: Buffer) => void stdout.push(bytes)),
    onErrors: (bytes: Buffer) => void stderr.push(bytes),
    onFailed: reject,
    onClosed: ({ code, signal }: Closing) => {
      const text = Buffer.concat(stderr).toString('utf8');
      const note = signal === null ? '' : `${text === '' ? '' : '\n'}ended by ${signal}`;
      resolve({ code: code ?? 128, stdout: Buffer.concat(stdout), stderr: text + note });
    },
  };
  const companion = findCompanion();
  if (companion !== undefined) return { program: companion.launch(order, listener), result };
  const child = startProgram(order);
  child.stdout.on('data', listener.onOutput);
  child.stderr.on('data', listener.onErrors);
  child.on('error', reject);
  child.on('close', (code, signal) => listener.onClosed({ code, signal }));
  // A child that exits before reading all its input closes the pipe; its exit code tells the story, not EPIPE.
  child.stdin.on('error', () => undefined);
  const program = {
    write: (bytes: Uint8Array) => writeWhenFree(child.stdin, bytes),
    end: () => void child.stdin.end(),
  };
  return { program, result };
}

/** A process that runs a command or two starts them itself: a companion costs as much as ten. */
const STARTS_WITHOUT_COMPANION = 12;

/** One that is killed again and again is not wanted here. */
const MAX_COMPANIONS = 3;

/** Of programs started here since there is no companion. */
let startCount = 0;
let companionCount = 0;
let companion: Companion | undefined;

function findCompanion(): Companion | undefined {
  if (companion?.isAlive === true) return companion;
  startCount += 1;
  if (startCount <= STARTS_WITHOUT_COMPANION || companionCount >= MAX_COMPANIONS) return undefined;
  startCount = 0;
  companionCount += 1;
  companion = Companion.start();
  return companion;
}

function orderOf(command: string, args: readonly string[], options: StartOptions): StartOrder {
  assertNoNul(args);
  const env: Record<string, string | undefined> = { ...process.env };
  for (const [key, value] of Object.entries(options.env ?? {})) {
    if (value === undefined) delete env[key];
    else env[key] = value;
  }
  return { command, args, cwd: options.cwd, env, timeoutMs: options.timeoutMs };
}

async function writeInput(program: RemoteProgram, input: RunOptions['input']): Promise<void> {
  const pieces = typeof input === 'string' || input instanceof Uint8Array ? [input] : (input ?? []);
  for (const piece of pieces) await program.write(typeof piece === 'string' ? Buffer.from(piece, 'utf8') : piece);
  program.end();
}
