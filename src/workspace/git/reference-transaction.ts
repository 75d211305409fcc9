import { MnemeError } from '../../model/errors.ts';
import type { Conversation } from '../../platform/process.ts';
import { gitError, type Git } from './git.ts';

const ARGUMENTS = ['update-ref', '-m', 'mneme', '--stdin'];

/** Messages of git when another process moved, or is just moving, one of the references. */
const MOVED = /cannot lock ref|reference already exists|but expected/;

/**
 * References changed all at once or not at all, by `git update-ref --stdin`. The process is started and told what to
 * do beforehand, so that the moment in which locks are held is short.
 */
export class ReferenceTransaction {
  readonly #git: Conversation;
  #received = '';

  private constructor(git: Git) {
    this.#git = git.converse(ARGUMENTS);
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
    this.#git.end();
  }

  async #send(...lines: readonly string[]): Promise<void> {
    await this.#git.say(`${lines.join('\n')}\n`);
  }

  async #expect(answer: string): Promise<void> {
    while (!this.#received.includes(`${answer}\n`)) {
      const heard = await this.#git.listen();
      if (heard === undefined) {
        const result = await this.#git.finished;
        if (result.code !== 0) throw gitError(ARGUMENTS, result);
        throw new MnemeError('failure', `git update-ref ended without "${answer}".`);
      }
      this.#received += heard;
    }
  }
}
