import { GitStream } from './stream.ts';
import type { Git } from './git.ts';
import { MnemeError } from '../../model/errors.ts';

/** What git says when somebody else moved, or is just moving, one of the references. */
const MOVED = /cannot lock ref|reference already exists|but expected/;

/**
 * References changed all at once or not at all, by `git update-ref --stdin`. The process is started and told what to
 * do beforehand, so that the moment in which locks are held is short.
 */
export class ReferenceTransaction {
  readonly #stream: GitStream;
  readonly #answers: AsyncIterator<Buffer>;
  #received = '';

  private constructor(git: Git) {
    this.#stream = new GitStream(git, ['update-ref', '-m', 'mneme', '--stdin']);
    this.#answers = this.#stream.output[Symbol.asyncIterator]();
  }

  static async start(git: Git, commands: readonly string[]): Promise<ReferenceTransaction> {
    const transaction = new ReferenceTransaction(git);
    await transaction.#send('start');
    await transaction.#expect('start: ok');
    await transaction.#send(...commands);
    return transaction;
  }

  /** Locks the references. False when one of them is not what it was expected to be, or somebody else moves it. */
  async prepare(): Promise<boolean> {
    await this.#send('prepare');
    try {
      await this.#expect('prepare: ok');
      return true;
    } catch (error) {
      if (error instanceof MnemeError && MOVED.test(error.message)) return false;
      throw error;
    }
  }

  /** Moves the references that were prepared. */
  async commit(): Promise<void> {
    await this.#send('commit');
    await this.#expect('commit: ok');
  }

  /** Ends the process; without a commit before, nothing has changed. */
  end(): void {
    this.#stream.end();
  }

  async #send(...lines: readonly string[]): Promise<void> {
    await this.#stream.write(Buffer.from(`${lines.join('\n')}\n`, 'utf8'));
  }

  async #expect(answer: string): Promise<void> {
    while (!this.#received.includes(`${answer}\n`)) {
      const next = await this.#answers.next();
      if (next.done === true) {
        await this.#stream.finished();
        throw new MnemeError('failure', `git update-ref ended without "${answer}".`);
      }
      this.#received += next.value.toString('utf8');
    }
  }
}
