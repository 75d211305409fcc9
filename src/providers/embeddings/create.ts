import { chooseEmbedder, type EmbedderChoice } from './auto.ts';
import { openProvider, type EmbeddingConfig, type EmbeddingDeps } from './providers.ts';

/** The embedder the configuration asks for. What cannot be had is an error, except with `auto`, which says what it took. */
export async function createEmbedder(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<EmbedderChoice> {
  const { provider } = config;
  if (provider === 'auto') return chooseEmbedder(config, deps);
  const embedder = await openProvider(provider, config, deps);
  return { provider, embedder, reason: `embedding.provider is ${provider}` };
}
