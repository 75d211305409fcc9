import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import type { RunResult } from '../../platform/process.ts';
import { writeWhenFree } from '../../platform/programs/start.ts';
import { gitError, type Git } from './git.ts';

/** A git process read and written piece by piece, for what may be too large to hold in memory. */
export class GitStream {
  readonly #args: readonly string[];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #exit: Promise<RunResult>;

  constructor(git: Git, args: readonly string[]) {
    this.#args = args;
    this.#child = git.start(args);
    // A child that ends early closes the pipe; finished() reports its exit code and words, which EPIPE would hide.
    this.#child.stdin.on('error', () => undefined);
    this.#exit = collectExit(this.#child);
    // A caller that stops a stream does not wait for this; the rejection still reaches every caller of finished().
    this.#exit.catch(() => undefined);
  }

  get output(): AsyncIterable<Buffer> {
    return this.#child.stdout;
  }

  /** Resolves when the child is ready for more. */
  write(bytes: Uint8Array): Promise<void> {
    return writeWhenFree(this.#child.stdin, bytes);
  }

  end(): void {
    this.#child.stdin.end();
  }

  /** Waits for the end; a non-zero exit throws with what git said. */
  async finished(): Promise<void> {
    const result = await this.#exit;
    if (result.code !== 0) throw gitError(this.#args, result);
  }

  stop(): void {
    this.#child.stdout.destroy();
    this.#child.kill();
  }
}

/** The NUL-separated fields of git's output as they arrive; leaving the loop early stops git. */
export async function* streamFields(git: Git, args: readonly string[]): AsyncGenerator<string> {
  const stream = new GitStream(git, args);
  stream.end();
  try {
    let rest: Buffer = Buffer.alloc(0);
    for await (const chunk of stream.output) {
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      for (let end = bytes.indexOf(0); end !== -1; end = bytes.indexOf(0)) {
        yield bytes.toString('utf8', 0, end);
        bytes = bytes.subarray(end + 1);
      }
      rest = bytes;
    }
    await stream.finished();
    if (rest.length > 0) yield rest.toString('utf8');
  } finally {
    stream.stop();
  }
}

function collectExit(child: ChildProcessWithoutNullStreams): Promise<RunResult> {
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      resolve({ code: code ?? 128, stdout: Buffer.alloc(0), stderr: Buffer.concat(said).toString('utf8') });
    });
  });
}
