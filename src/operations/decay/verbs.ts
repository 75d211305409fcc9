import type { OperationContext } from '../context.ts';
import { runLater } from '../run-later.ts';
import type { FadingMemory, FadingNextInput } from './fading.ts';
import type { DecayExplained, DecayExplainInput } from './explain.ts';
import type { DecayRun, DecayRunInput } from './run.ts';
import type { DecayStatusReport } from './status.ts';

/** How memories fade: `m.decay.explain(id)`. */
export class DecayVerbs {
  readonly #context: OperationContext;
  readonly #assertOpen: () => Promise<never> | undefined;

  constructor(context: OperationContext, assertOpen: () => Promise<never> | undefined) {
    this.#context = context;
    this.#assertOpen = assertOpen;
  }

  async status(): Promise<DecayStatusReport> {
    await this.#assertOpen();
    return runLater(async () => (await import('./status.ts')).decayStatus, this.#context, {});
  }

  /** Memories that will become dormant, soonest first. */
  async next(options: FadingNextInput = {}): Promise<readonly FadingMemory[]> {
    await this.#assertOpen();
    const { memories } = await runLater(async () => (await import('./fading.ts')).fadingNext, this.#context, options);
    return memories;
  }

  /** Writes down what was used and proposes to archive what nobody needs. */
  async run(options: DecayRunInput = {}): Promise<DecayRun> {
    await this.#assertOpen();
    return runLater(async () => (await import('./run.ts')).runDecay, this.#context, options);
  }

  async explain(id: string, options: Omit<DecayExplainInput, 'id'> = {}): Promise<DecayExplained> {
    await this.#assertOpen();
    return runLater(async () => (await import('./explain.ts')).explainDecay, this.#context, { ...options, id });
  }
}
