import { setImmediate } from 'node:timers/promises';
import { errorMessage, isMnemeError, MnemeError, must } from '../../model/errors.ts';
import type { Clock } from '../../platform/clock.ts';
import { planBatches } from '../../providers/embeddings/port.ts';
import { embeddedText } from '../passage.ts';
import type { MissingVector, SearchIndex } from '../port.ts';
import type { IndexedModel } from './model.ts';

/** The progress of a model with the passages of the index. */
export interface EmbeddingState {
  readonly model: string;
  /** Passages that got a vector in this run. Passages alike share one, so `remaining` can fall by more. */
  readonly done: number;
  /** Undefined: the index could not be asked. */
  readonly remaining: number | undefined;
  /** Why it stopped early, if something failed. What was embedded before stays. */
  readonly problem?: EmbeddingProblem | undefined;
}

export interface EmbeddingProblem {
  readonly message: string;
  readonly hint: string | undefined;
}

export function toProblem(error: unknown): EmbeddingProblem {
  return { message: errorMessage(error), hint: isMnemeError(error) ? error.hint : undefined };
}

export interface EmbedOptions {
  readonly clock: Clock;
  /** No batch is begun later than this after the start. */
  readonly budgetMs?: number | undefined;
  /** At most so many passages. */
  readonly maxPassages?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((state: EmbeddingState) => void) | undefined;
}

/** Sorting by length pays only among many texts; more of them would be a lot to hold. */
const BATCHES_PER_ROUND = 8;

/** Makes the vectors that are missing, in batches, each of them kept at once: a run can end anywhere and go on later. */
export async function embedMissing(
  index: SearchIndex,
  model: IndexedModel,
  options: EmbedOptions,
): Promise<EmbeddingState> {
  const run = new EmbeddingRun(index, model, options);
  try {
    await run.embedAll();
    if (run.state.remaining !== 0) await run.count();
    return run.state;
  } catch (error) {
    return { ...run.state, problem: toProblem(error) };
  }
}

class EmbeddingRun {
  readonly #index: SearchIndex;
  readonly #model: IndexedModel;
  readonly #options: EmbedOptions;
  readonly #endsAtMs: number;
  #done = 0;
  #remaining: number | undefined;

  constructor(index: SearchIndex, model: IndexedModel, options: EmbedOptions) {
    this.#index = index;
    this.#model = model;
    this.#options = options;
    this.#endsAtMs = options.clock.now() + (options.budgetMs ?? Infinity);
  }

  async embedAll(): Promise<void> {
    const { id } = this.#model.embedder;
    let lastFirst: number | undefined;
    while (this.#mayContinue()) {
      const limit = Math.min(this.#model.batchSize * this.#batchesPerRound(), this.#allowance());
      const missing = await this.#index.listMissingVectors(id, limit);
      const first = missing[0]?.passage;
      // Counting looks at every passage there is; where nothing is missing nothing has to be counted.
      if (first === undefined) {
        this.#remaining = 0;
        return;
      }
      await this.count();
      // An index that loses what it is given must not keep us here for ever.
      if (first === lastFirst) throw new MnemeError('integrity', `Passage ${first} has no vector after it got one.`);
      await this.#embedRound(missing);
      lastFirst = first;
    }
  }

  get state(): EmbeddingState {
    return { model: this.#model.embedder.id, done: this.#done, remaining: this.#remaining };
  }

  /** Asks the index what remains; between batches it is only reckoned, because others write as well. */
  async count(): Promise<void> {
    const { passages, models } = await this.#index.status();
    const vectors = models.find(({ model }) => model === this.#model.embedder.id)?.vectors ?? 0;
    this.#remaining = Math.max(0, passages - vectors);
  }

  async #embedRound(missing: readonly MissingVector[]): Promise<void> {
    const passagesByText = new Map<string, number[]>();
    for (const entry of missing) {
      const text = embeddedText(entry, this.#model.withDay);
      const passages = passagesByText.get(text);
      if (passages === undefined) passagesByText.set(text, [entry.passage]);
      else passages.push(entry.passage);
    }
    const texts = [...passagesByText.keys()];
    const lengths = texts.map((text) => text.length);
    for (const batch of planBatches(lengths, this.#model.batchSize)) {
      if (!this.#mayContinue()) return;
      await this.#embedBatch(
        batch.map((number) => must(texts[number], 'a text to embed')),
        passagesByText,
      );
      this.#options.onProgress?.(this.state);
      // A local model leaves no pause of its own in which others could get their turn.
      await setImmediate();
    }
  }

  async #embedBatch(texts: readonly string[], passagesByText: ReadonlyMap<string, readonly number[]>): Promise<void> {
    const { embedder } = this.#model;
    const vectors = await embedder.embed(texts, 'document');
    const entries = texts.flatMap((text, number) => {
      const vector = must(vectors[number], `the vector of text ${number + 1} of ${texts.length} from ${embedder.id}`);
      return (passagesByText.get(text) ?? []).map((passage) => ({ passage, vector }));
    });
    await this.#index.putVectors(embedder.id, embedder.dimensions, entries);
    this.#done += entries.length;
    this.#remaining = Math.max(0, (this.#remaining ?? 0) - entries.length);
  }

  /** One in a piece of background work: the longest come last in a round, and would be left over from every piece. */
  #batchesPerRound(): number {
    return this.#options.maxPassages === undefined ? BATCHES_PER_ROUND : 1;
  }

  #allowance(): number {
    return (this.#options.maxPassages ?? Infinity) - this.#done;
  }

  #mayContinue(): boolean {
    const { signal, clock } = this.#options;
    return signal?.aborted !== true && clock.now() < this.#endsAtMs && this.#allowance() > 0;
  }
}

/**
 * Brings all wanted models up to date, one after another. Vectors of former models stay until every wanted one covers
 * everything, because they can serve until then.
 */
export async function embedForModels(
  index: SearchIndex,
  models: readonly IndexedModel[],
  options: EmbedOptions,
): Promise<readonly EmbeddingState[]> {
  const states: EmbeddingState[] = [];
  for (const model of models) states.push(await embedMissing(index, model, options));
  const isComplete = states.every(({ remaining, problem }) => remaining === 0 && problem === undefined);
  // Without a wanted model nothing replaces the vectors there are, and the setting may be changed back.
  if (models.length === 0 || !isComplete) return states;
  try {
    await forgetOthers(index, models);
    return states;
  } catch (error) {
    const problem = toProblem(error);
    return states.map(({ model, done, remaining }) => ({ model, done, remaining, problem }));
  }
}

async function forgetOthers(index: SearchIndex, models: readonly IndexedModel[]): Promise<void> {
  const wanted = models.map(({ embedder }) => embedder.id);
  const present = (await index.status()).models.map(({ model }) => model);
  if (present.some((model) => !wanted.includes(model))) await index.keepModels(wanted);
}
