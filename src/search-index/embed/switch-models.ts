import type { SearchIndex } from '../port.ts';
import { embedMissing, toProblem, type EmbeddingState, type EmbedOptions } from './embed-missing.ts';
import type { IndexedModel } from './model.ts';

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
