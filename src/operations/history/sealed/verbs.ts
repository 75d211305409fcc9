import type { OperationContext } from '../../context.ts';
import { runLater } from '../../run-later.ts';
import type { NewKey } from './key.ts';
import type { Resealed, SealKeys } from './keys.ts';

/** The keys that seal what leaves this machine: `m.keys.show()`. */
export class KeyVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async show(): Promise<SealKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).showSealKeys, this.#context, {});
  }

  /** The first one. */
  async create(): Promise<NewKey> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).newSealKey, this.#context, {});
  }

  /** A new one in its place; the old one still opens what it sealed. */
  async rotate(): Promise<SealKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).rotateSealKey, this.#context, {});
  }

  /** Lets somebody else open what is sealed from now on, by the public half of their key. */
  async add(key: string, options: { readonly name?: string } = {}): Promise<SealKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).addSealRecipient, this.#context, { ...options, key });
  }

  async remove(who: string): Promise<SealKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).removeSealRecipient, this.#context, { who });
  }

  /** Sends everything anew, sealed for those who are meant now. */
  async reseal(): Promise<Resealed> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).resealRemoteHistory, this.#context, {});
  }
}
