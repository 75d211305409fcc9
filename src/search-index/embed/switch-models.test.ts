import { describe, expect, it } from 'vitest';
import { MemoryIndex } from '../in-memory/memory-index.ts';
import { embedForModels } from './embed-missing.ts';
import { findServing } from './model.ts';
import { documentOf, LetterEmbedder, modelOf } from './testing/documents.ts';

const clock = { now: () => 0 };

async function indexWithOldModel(): Promise<MemoryIndex> {
  const index = new MemoryIndex();
  await index.apply({ put: [documentOf('notes.md', ['one', 'two', 'three', 'four'])], remove: [] });
  await embedForModels(index, [modelOf(new LetterEmbedder('old:8'))], { clock });
  return index;
}

async function modelsIn(index: MemoryIndex): Promise<string[]> {
  return (await index.status()).models.map(({ model }) => model);
}

describe('a switch of models', () => {
  it('keeps the old vectors until the new model covers everything', async () => {
    const index = await indexWithOldModel();
    const models = [modelOf(new LetterEmbedder('new:8'))];
    await embedForModels(index, models, { clock, maxPassages: 2 });
    expect(await modelsIn(index)).toEqual(['old:8', 'new:8']);
    const [state] = await embedForModels(index, models, { clock });
    expect(state).toMatchObject({ done: 2, remaining: 0 });
    expect(await modelsIn(index)).toEqual(['new:8']);
  });

  it('waits for all wanted models', async () => {
    const index = await indexWithOldModel();
    const failing = new LetterEmbedder('second:8');
    failing.onBatch = () => {
      throw new Error('down');
    };
    const first = modelOf(new LetterEmbedder('first:8'));
    const states = await embedForModels(index, [first, modelOf(failing)], { clock });
    expect(states.map(({ model, remaining, problem }) => [model, remaining, problem?.message])).toEqual([
      ['first:8', 0, undefined],
      ['second:8', 4, 'down'],
    ]);
    expect(await modelsIn(index)).toEqual(['old:8', 'first:8']);
    failing.onBatch = () => undefined;
    await embedForModels(index, [first, modelOf(failing)], { clock });
    expect(await modelsIn(index)).toEqual(['first:8', 'second:8']);
  });

  it('forgets nothing when no model is wanted', async () => {
    const index = await indexWithOldModel();
    expect(await embedForModels(index, [], { clock })).toEqual([]);
    expect(await modelsIn(index)).toEqual(['old:8']);
  });

  it('reports old vectors that could not be removed', async () => {
    const index = await indexWithOldModel();
    index.keepModels = () => Promise.reject(new Error('The disk is full.'));
    const [state] = await embedForModels(index, [modelOf(new LetterEmbedder('new:8'))], { clock });
    expect(state).toMatchObject({ remaining: 0, problem: { message: 'The disk is full.' } });
  });
});

describe('findServing', () => {
  const [old, fresh] = ['old', 'new'].map((id) => modelOf(new LetterEmbedder(id)));
  const wanted = [old, fresh].flatMap((model) => model ?? []);
  const coverageWith = (vectors: Readonly<Record<string, number>>, passages = 100): Record<string, number> => {
    const models = Object.entries(vectors).map(([model, count]) => ({ model, dimensions: 8, vectors: count }));
    const serving = findServing({ documents: 1, passages, bytes: 1, models }, wanted);
    return Object.fromEntries(serving.map(({ embedder, coverage }) => [embedder.id, coverage]));
  };

  it('serves by every model that has vectors, however few', () => {
    expect(coverageWith({ new: 1, old: 100 })).toEqual({ old: 1, new: 0.01 });
  });

  it('does not serve by a model without vectors, or by vectors without a model', () => {
    expect(coverageWith({ old: 97, other: 100 })).toEqual({ old: 0.97 });
  });

  it('takes an empty index for covered', () => {
    expect(coverageWith({}, 0)).toEqual({ old: 1, new: 1 });
  });
});
