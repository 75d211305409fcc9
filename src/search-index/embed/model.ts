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
  };
}
