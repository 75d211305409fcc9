import type { IndexStatus } from '../port.ts';
import type { EmbeddingProvider } from '../../providers/embeddings/providers.ts';
import type { Embedder } from '../../providers/embeddings/port.ts';

/** An embedder as the index uses it. */
export interface IndexedModel {
  readonly embedder: Embedder;
  /** Texts embedded in one call. */
  readonly batchSize: number;
  /** Whether the day belongs to the text: see `embeddedText`. */
  readonly withDay: boolean;
  /** Fast enough for a write to wait for it; all others are run in the background. */
  readonly isInstant: boolean;
  /** Comes with the package: asking it takes milliseconds and no other program. */
  readonly isBundled: boolean;
}

/** A model that can be asked now. */
export interface ServingModel extends IndexedModel {
  /** Share of the passages that have a vector of it. */
  readonly coverage: number;
}

/** The models that have vectors, and of how many passages. */
export function findServing({ passages, models }: IndexStatus, wanted: readonly IndexedModel[]): ServingModel[] {
  return wanted.flatMap((model) => {
    const vectors = models.find((state) => state.model === model.embedder.id)?.vectors ?? 0;
    const coverage = passages === 0 ? 1 : vectors / passages;
    return coverage === 0 ? [] : [{ ...model, coverage }];
  });
}

/** The static table costs no call, so a large batch only saves transactions: a tenth of a second, and 1 MB of vectors. */
const STATIC_BATCH_SIZE = 1024;

export function toIndexedModel(provider: EmbeddingProvider, embedder: Embedder, batchSize: number): IndexedModel {
  const isStatic = provider === 'static';
  return {
    embedder,
    batchSize: isStatic ? Math.max(STATIC_BATCH_SIZE, batchSize) : batchSize,
    withDay: !isStatic,
    isInstant: isStatic,
    isBundled: isStatic || provider === 'builtin',
  };
}
