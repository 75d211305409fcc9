import { isMnemeError } from '../../model/errors.ts';
import { chooseEmbedder, type EmbedderChoice } from './auto.ts';
import { openProvider, type EmbeddingConfig, type EmbeddingDeps } from './providers.ts';

/** The embedder the configuration asks for. What cannot be had is an error, except with `auto`, which says what it took. */
export async function createEmbedder(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<EmbedderChoice> {
  const { provider } = config;
  if (provider === 'auto') return chooseEmbedder(config, deps);
  const embedder = await openProvider(provider, config, deps);
  return { provider, embedder, reason: `embedding.provider is ${provider}` };
}

/**
 * Every embedder that serves, the static table first: beside a sentence model it still adds to what is found (measured
 * in docs/retrieval.md), and it is there while the other has no vectors yet or cannot be had.
 */
export async function openEmbedders(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<readonly EmbedderChoice[]> {
  if (config.provider === 'none') return [];
  const table = await createEmbedder({ ...config, provider: 'static' }, deps);
  if (config.provider === 'static') return [table];
  try {
    const choice = await createEmbedder(config, deps);
    if (choice.provider === 'static') return [choice];
    return [{ ...table, reason: `it serves beside ${choice.provider}` }, choice];
  } catch (error) {
    if (!isMnemeError(error) || config.provider === 'auto') throw error;
    const reason = `embedding.provider is ${config.provider}`;
    return [
      { ...table, reason: `${config.provider} cannot be had` },
      { provider: config.provider, embedder: undefined, reason, problem: error },
    ];
  }
}
