import { describe, expect, it } from 'vitest';
import { MemoryIndex } from '../in-memory/memory-index.ts';
import { embedForModels } from './switch-models.ts';
import { findServingModels } from './serving.ts';
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
    expect(findServingModels(await index.status(), ['new:8'], ['old:8']).serving).toEqual([
      { model: 'old:8', coverage: 1 },
    ]);
    const [state] = await embedForModels(index, models, { clock });
    expect(state).toMatchObject({ done: 2, remaining: 0 });
    expect(await modelsIn(index)).toEqual(['new:8']);
    expect(findServingModels(await index.status(), ['new:8'], ['old:8'])).toEqual({
      serving: [{ model: 'new:8', coverage: 1 }],
      pending: [],
      isPartial: false,
    });
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

describe('findServingModels', () => {
  const statusWith = (vectors: Readonly<Record<string, number>>, passages = 100) => ({
    documents: 1,
    passages,
    terms: 1,
    bytes: 1,
    models: Object.entries(vectors).map(([model, count]) => ({ model, dimensions: 8, vectors: count })),
  });
  const namesOf = (found: ReturnType<typeof findServingModels>): string[] => found.serving.map(({ model }) => model);

  it('stays with a wanted model while the last writes wait for their vectors', () => {
    const found = findServingModels(statusWith({ new: 97, old: 100 }), ['new'], ['old']);
    expect(namesOf(found)).toEqual(['new']);
    expect(found).toMatchObject({ isPartial: true, pending: [] });
  });

  it('takes what the new model has so far when the old one cannot embed the question', () => {
    const found = findServingModels(statusWith({ new: 40, old: 100 }), ['new']);
    expect(found).toEqual({
      serving: [{ model: 'new', coverage: 0.4 }],
      pending: [{ model: 'new', coverage: 0.4 }],
      isPartial: true,
    });
  });

  it('does not go back to a model that covers less', () => {
    expect(namesOf(findServingModels(statusWith({ new: 60, old: 50 }), ['new'], ['old']))).toEqual(['new']);
  });

  it('asks only those of several wanted models that are ready', () => {
    const found = findServingModels(statusWith({ first: 100, second: 10 }), ['first', 'second'], ['old']);
    expect(namesOf(found)).toEqual(['first']);
    expect(found.pending).toEqual([{ model: 'second', coverage: 0.1 }]);
  });

  it('serves by words alone when there are no vectors or no model', () => {
    expect(namesOf(findServingModels(statusWith({}), ['new'], ['old']))).toEqual([]);
    expect(findServingModels(statusWith({ old: 100 }), [])).toEqual({ serving: [], pending: [], isPartial: false });
  });

  it('takes an empty index for covered', () => {
    expect(findServingModels(statusWith({}, 0), ['new'])).toMatchObject({ pending: [], isPartial: false });
  });
});
