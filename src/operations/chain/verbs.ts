import type { Proof } from '../../chain/proof/format.ts';
import type { ProofVerdict } from '../../chain/proof/verify-proof.ts';
import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { ChainAdded, ChainAddInput } from './add.ts';
import type { ChainAnchored, ChainAnchorInput } from './anchor.ts';
import type { ChainKeyBackup, ChainKeys } from './keys.ts';
import type { ChainProveInput } from './prove.ts';
import type { ChainShowInput, ChainShown } from './show.ts';
import type { ChainStats } from './stats.ts';
import type { ChainSynced, ChainSyncInput } from './sync.ts';
import type { ChainVerified, ChainVerifyInput } from './verify.ts';

/** The provable history: `m.chain.verify()`. */
export class ChainVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** Enters something by hand; what happens by itself is noted and entered behind it. */
  async add(text: string, options: Omit<ChainAddInput, 'text'> = {}): Promise<ChainAdded> {
    await this.#assertOpen();
    return runLater(async () => (await import('./add.ts')).chainAdd, this.#context, { ...options, text });
  }

  /** What is not as it was is told in `findings`, each with its place. */
  async verify(options: ChainVerifyInput = {}): Promise<ChainVerified> {
    await this.#assertOpen();
    return runLater(async () => (await import('./verify.ts')).chainVerify, this.#context, options);
  }

  async stats(): Promise<ChainStats> {
    await this.#assertOpen();
    return runLater(async () => (await import('./stats.ts')).chainStats, this.#context, {});
  }

  async show(options: ChainShowInput = {}): Promise<ChainShown> {
    await this.#assertOpen();
    return runLater(async () => (await import('./show.ts')).chainShow, this.#context, options);
  }

  /** A small JSON value that anybody can check offline. */
  async prove(seq: number, options: Omit<ChainProveInput, 'seq'> = {}): Promise<Proof> {
    await this.#assertOpen();
    return runLater(async () => (await import('./prove.ts')).chainProve, this.#context, { ...options, seq });
  }

  /**
   * `trusted`: the chain's public key or name, from somewhere else than the proof; without it only proofs of this home's own
   * chain are valid.
   */
  async verifyProof(proof: unknown, trusted?: string): Promise<ProofVerdict> {
    await this.#assertOpen();
    const { verifyProofHere } = await import('./verify-proof.ts');
    return verifyProofHere(proof, trusted, (await this.#context.chain.open()).read());
  }

  async anchor(options: ChainAnchorInput = {}): Promise<ChainAnchored> {
    await this.#assertOpen();
    return runLater(async () => (await import('./anchor.ts')).chainAnchor, this.#context, options);
  }

  async sync(options: ChainSyncInput = {}): Promise<ChainSynced> {
    await this.#assertOpen();
    return runLater(async () => (await import('./sync.ts')).chainSync, this.#context, options);
  }

  async keys(): Promise<ChainKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).chainKeys, this.#context, {});
  }

  async rotateKey(): Promise<ChainKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).chainRotateKey, this.#context, {});
  }

  async backupKey(file: string, passphrase: string): Promise<ChainKeyBackup> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).chainBackupKey, this.#context, { file, passphrase });
  }

  async restoreKey(file: string, passphrase: string): Promise<ChainKeyBackup> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).chainRestoreKey, this.#context, { file, passphrase });
  }

  /** Goes on with another key although the old one is lost; `verify` reports it until it is accepted in the settings. */
  async replaceKey(): Promise<ChainKeys> {
    await this.#assertOpen();
    return runLater(async () => (await import('./keys.ts')).chainReplaceKey, this.#context, {});
  }
}
