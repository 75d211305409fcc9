import { describe, expect, it } from 'vitest';
import { MnemeError } from '../../model/errors.ts';
import { MemoryIndex } from '../in-memory/memory-index.ts';
import { embedMissing, type EmbeddingState } from './embed-missing.ts';
import { toIndexedModel } from './model.ts';
import { documentOf, LetterEmbedder, modelOf } from './testing/documents.ts';

const clock = { now: () => 0 };

async function indexOf(texts: readonly string[], days?: readonly string[]): Promise<MemoryIndex> {
  const index = new MemoryIndex();
  await index.apply({ put: [documentOf('notes.md', texts, days)], remove: [] });
  return index;
}

async function countMissing(index: MemoryIndex, model: string): Promise<number> {
  return (await index.listMissingVectors(model, 1000)).length;
}

const SIX = ['a long text about bees', 'b', 'cc and more', 'dd', 'a longer text about bees and bread', 'e'];

describe('embedMissing', () => {
  it('embeds what has no vector, in batches of similar length, and then has nothing to do', async () => {
    const index = await indexOf(SIX);
    const embedder = new LetterEmbedder();
    expect(await embedMissing(index, modelOf(embedder), { clock })).toEqual({
      model: 'letters:8',
      done: 6,
      remaining: 0,
    });
    const lengths = embedder.batches.map((batch) => batch.map((text) => text.length));
    expect(lengths.flat()).toEqual(lengths.flat().sort((left, right) => left - right));
    expect(lengths.every((batch) => batch.length === 2)).toBe(true);
    expect(await countMissing(index, 'letters:8')).toBe(0);

    await index.apply({ put: [documentOf('other.md', ['new'])], remove: [] });
    expect(await embedMissing(index, modelOf(embedder), { clock })).toMatchObject({ done: 1, remaining: 0 });
    expect(embedder.batches.at(-1)).toEqual(['Notes: new']);
  });

  it('gives every passage the vector of its own text', async () => {
    const index = await indexOf(SIX);
    const embedder = new LetterEmbedder();
    await embedMissing(index, modelOf(embedder), { clock });
    const [query = new Float32Array()] = await embedder.embed(['Notes: cc and more']);
    const view = await index.view({ scopes: ['shared'] });
    const [nearest] = await view.findNearest('letters:8', query, 1);
    const [passage] = await view.read([nearest?.passage ?? -1]);
    expect(passage?.text).toBe('cc and more');
  });

  it('works through more than one round', async () => {
    const index = await indexOf(Array.from({ length: 50 }, (_, number) => `text ${number}`));
    const embedder = new LetterEmbedder();
    expect(await embedMissing(index, modelOf(embedder), { clock })).toMatchObject({ done: 50, remaining: 0 });
    expect(embedder.batches).toHaveLength(25);
  });

  it('embeds a text once that differs only in a day the model does not see', async () => {
    const days = ['Monday 8 May 2023', 'Tuesday 9 May 2023'];
    const index = await indexOf(['thanks', 'thanks'], days);
    const embedder = new LetterEmbedder();
    expect(await embedMissing(index, modelOf(embedder), { clock })).toMatchObject({ done: 2, remaining: 0 });
    expect(embedder.batches).toEqual([['Notes: thanks']]);
    const withDay = new LetterEmbedder('with-day:8');
    await embedMissing(index, { ...modelOf(withDay), withDay: true }, { clock });
    expect(withDay.batches.flat()).toEqual(days.map((day) => `Notes · ${day}: thanks`));
  });

  it('reports progress after every batch', async () => {
    const states: EmbeddingState[] = [];
    const options = { clock, onProgress: (state: EmbeddingState) => states.push(state) };
    await embedMissing(await indexOf(SIX), modelOf(new LetterEmbedder()), options);
    expect(states.map(({ done, remaining }) => [done, remaining])).toEqual([
      [2, 4],
      [4, 2],
      [6, 0],
    ]);
  });

  it('stops when it is told to, and goes on later', async () => {
    const index = await indexOf(SIX);
    const embedder = new LetterEmbedder();
    const abort = new AbortController();
    embedder.onBatch = (number) => {
      if (number === 2) abort.abort();
    };
    const stopped = await embedMissing(index, modelOf(embedder), { clock, signal: abort.signal });
    expect(stopped).toEqual({ model: 'letters:8', done: 4, remaining: 2 });
    expect(await embedMissing(index, modelOf(embedder), { clock })).toMatchObject({ done: 2, remaining: 0 });
  });

  it('keeps to a budget of time', async () => {
    let nowMs = 1000;
    const embedder = new LetterEmbedder();
    embedder.onBatch = () => {
      nowMs += 60;
    };
    const options = { clock: { now: () => nowMs }, budgetMs: 100 };
    expect(await embedMissing(await indexOf(SIX), modelOf(embedder), options)).toMatchObject({ done: 4, remaining: 2 });
  });

  it('keeps to a number of passages', async () => {
    const state = await embedMissing(await indexOf(SIX), modelOf(new LetterEmbedder()), { clock, maxPassages: 3 });
    expect(state).toMatchObject({ done: 3, remaining: 3 });
  });

  it('leaves no long passage over from one piece of background work to the next', async () => {
    const index = await indexOf(SIX);
    const [first] = await index.listMissingVectors('letters:8', 1);
    let nowMs = 1000;
    const embedder = new LetterEmbedder();
    embedder.onBatch = () => {
      nowMs += 60;
    };
    const clock = { now: () => nowMs };
    await embedMissing(index, modelOf(embedder), { clock, maxPassages: 6, budgetMs: 50 });
    expect(embedder.batches.flat()).toContain(`Notes: ${first?.text}`);
  });

  it('reports an embedder that fails and keeps what it had made', async () => {
    const index = await indexOf(SIX);
    const embedder = new LetterEmbedder();
    embedder.onBatch = (number) => {
      if (number === 2) throw new MnemeError('failure', 'The service is down.', { hint: 'Try later.' });
    };
    expect(await embedMissing(index, modelOf(embedder), { clock })).toEqual({
      model: 'letters:8',
      done: 2,
      remaining: 4,
      problem: { message: 'The service is down.', hint: 'Try later.' },
    });
    expect(await countMissing(index, 'letters:8')).toBe(4);
  });

  it('reports an embedder that returns too few vectors', async () => {
    const embedder = new LetterEmbedder();
    embedder.embed = async () => [];
    const { problem } = await embedMissing(await indexOf(SIX), modelOf(embedder), { clock });
    expect(problem?.message).toContain('the vector of text 1 of 2 from letters:8');
  });

  it('reports an index that fails or loses vectors, instead of trying for ever', async () => {
    const broken = await indexOf(SIX);
    broken.status = () => Promise.reject(new Error('The disk is gone.'));
    const state = await embedMissing(broken, modelOf(new LetterEmbedder()), { clock });
    expect(state).toEqual({
      model: 'letters:8',
      done: 0,
      remaining: undefined,
      problem: { message: 'The disk is gone.', hint: undefined },
    });
    const forgetful = await indexOf(SIX);
    forgetful.putVectors = () => Promise.resolve();
    const { problem } = await embedMissing(forgetful, modelOf(new LetterEmbedder()), { clock });
    expect(problem?.message).toContain('no vector after it got one');
  });

  it('lets others have their turn between batches', async () => {
    const index = await indexOf(SIX);
    const embedder = new LetterEmbedder();
    let batchesBefore: number | undefined;
    embedder.onBatch = () => {
      setImmediate(() => {
        batchesBefore ??= embedder.batches.length;
      });
    };
    await embedMissing(index, modelOf(embedder), { clock });
    expect(batchesBefore).toBe(1);
  });
});

describe('toIndexedModel', () => {
  it('gives only the static table large batches, no day and a write that waits, and knows what is bundled', () => {
    const embedder = new LetterEmbedder();
    expect(toIndexedModel('static', embedder, 50)).toEqual({
      embedder,
      batchSize: 1024,
      withDay: false,
      isInstant: true,
      isBundled: true,
    });
    expect(toIndexedModel('openai', embedder, 50)).toEqual({
      embedder,
      batchSize: 50,
      withDay: true,
      isInstant: false,
      isBundled: false,
    });
    expect(toIndexedModel('builtin', embedder, 50)).toMatchObject({ isInstant: false, isBundled: true });
  });
});
