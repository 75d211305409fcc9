import { isMnemeError, type MnemeError } from '../../model/errors.ts';
import { findModel } from './hub.ts';
import { isOpenAi } from './openai.ts';
import type { Embedder } from './port.ts';
import {
  GEMINI_KEY,
  hubOptions,
  openProvider,
  type EmbeddingConfig,
  type EmbeddingDeps,
  type EmbeddingProvider,
} from './providers.ts';

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
export async function chooseEmbedder(config: EmbeddingConfig, deps: EmbeddingDeps): Promise<EmbedderChoice> {
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
