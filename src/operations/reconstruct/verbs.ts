import type { OperationContext } from '../context.ts';
import { runOperation } from '../operation.ts';
import type { CompareInput, ReconstructionComparison } from './compare.ts';
import type { DroppedReconstruction } from './drop.ts';
import type { ReconstructionInfo } from './list.ts';
import type { ProposedReconstruction } from './merge.ts';
import type { Reconstructed, StartReconstructionInput } from './start.ts';

/** Knowledge made anew from the conversations: `m.reconstruct.start({ name: 'v2' })`. */
export class ReconstructVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  /** Begins one, or goes on with it. */
  async start(options: StartReconstructionInput): Promise<Reconstructed> {
    await this.#assertOpen();
    return runOperation((await import('./start.ts')).startReconstruction, this.#context, options);
  }

  async list(): Promise<ReconstructionInfo[]> {
    await this.#assertOpen();
    return runOperation((await import('./list.ts')).listReconstructions, this.#context, {});
  }

  /** What it found beside what is known, and which of the two answers questions better. */
  async compare(name: string, options: Omit<CompareInput, 'name'> = {}): Promise<ReconstructionComparison> {
    await this.#assertOpen();
    return runOperation((await import('./compare.ts')).compareReconstruction, this.#context, { ...options, name });
  }

  /** Proposes to take over what it found. */
  async merge(name: string): Promise<ProposedReconstruction> {
    await this.#assertOpen();
    return runOperation((await import('./merge.ts')).mergeReconstruction, this.#context, { name });
  }

  async drop(name: string): Promise<DroppedReconstruction> {
    await this.#assertOpen();
    return runOperation((await import('./drop.ts')).dropReconstruction, this.#context, { name });
  }
}
