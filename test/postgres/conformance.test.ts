import { hash } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { PostgresIndex, type PostgresIndexOptions } from '../../src/search-index/postgres/postgres-index.ts';
import { candidatesSql, vectorText } from '../../src/search-index/postgres/vectors.ts';
import { describeSearchIndex } from '../../src/search-index/testing/conformance.ts';
import { embed, EVERYTHING, findTexts, makeDocument, put, textsOf } from '../../src/search-index/testing/documents.ts';
import { SeededRandom } from '../support/seeded-random.ts';
import { newName, startTestServer, type TestServer } from './server.ts';

// SPEC MACHINE-2
describe('the conformance suite on PostgreSQL', () => {
  let server: TestServer;
  /** Namespaces of tests that are done: making one takes longer than emptying it. */
  const free: string[] = [];

  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(async () => {
    const admin = new PostgresIndex(optionsFor('admin'));
    for (const name of [...free, 'admin']) await admin.server.eraseNamespace(name);
    await admin.close();
    await server.stop();
  });

  const optionsFor = (namespace: string): PostgresIndexOptions => ({
    url: server.url,
    schema: 'mneme_test',
    namespace,
    device: 'here',
    indexFromVectors: 1,
  });

  const open = async () => {
    const used = free.pop();
    const options = optionsFor(used ?? newName());
    // As on one machine: what is not wanted goes at once.
    const index = new PostgresIndex({ ...options, keptDays: -1 });
    if (used !== undefined) await index.clear();
    return {
      index,
      openAnother: () => Promise.resolve(new PostgresIndex({ ...options, device: 'there' })),
      dispose: () => Promise.resolve(void free.push(options.namespace)),
    };
  };
  describeSearchIndex('PostgresIndex', open, 4);

  it('keeps the vectors of a model that another machine uses', async () => {
    const options = optionsFor(newName());
    free.push(options.namespace);
    const [older, newer] = [new PostgresIndex(options), new PostgresIndex({ ...options, device: 'there' })];
    const modelsOf = async (index: PostgresIndex): Promise<string[]> =>
      (await index.status()).models.map(({ model }) => model);
    try {
      await older.apply(put(makeDocument({ path: 'a.md' }, ['tea', 'milk'])));
      await embed(older, 'first', randomVector);
      await embed(newer, 'second', randomVector);
      await older.keepModels(['first']);
      await newer.keepModels(['second']);
      expect(await modelsOf(older)).toEqual(['first', 'second']);
      // A month on, only one of the two has been at work.
      await older.server.write((transaction) =>
        transaction.rows('UPDATE models SET used = CURRENT_DATE - 31 WHERE namespace = {ns}'),
      );
      await newer.keepModels(['second']);
      expect(await modelsOf(older)).toEqual(['second']);
    } finally {
      await older.close();
      await newer.close();
    }
  });

  it('closes the gaps between passage numbers, and answers as before', async () => {
    const options = { ...optionsFor(newName()), toleratedUnused: 0 };
    free.push(options.namespace);
    const [index, other] = [new PostgresIndex(options), new PostgresIndex({ ...options, device: 'there' })];
    try {
      const documents = Array.from({ length: 12 }, (_, number) =>
        makeDocument({ path: `${number}.md`, store: number % 2 === 0 ? 'semantic' : 'episodic' }, [
          `tea number ${number}`,
          `milk number ${number}`,
        ]),
      );
      await index.apply(put(...documents));
      const vectors = new Map<string, Float32Array>();
      await embed(index, 'm', (text) => vectors.set(text, randomVector(text)).get(text) ?? randomVector(text));
      const stays = (path: string): boolean => path === '3.md' || path === '8.md' || path === '11.md';
      const remove = documents.filter(({ path }) => !stays(path)).map(({ source, path }) => ({ source, path }));
      await index.apply({ put: [], remove });
      const question = randomVector('question');
      const answers = async (asked: PostgresIndex): Promise<unknown[]> => {
        const view = await asked.view(EVERYTHING);
        const episodes = await asked.view({ ...EVERYTHING, stores: ['episodic'] });
        const nearest = await view.findNearest('m', question, 10);
        return [
          await findTexts(view, 'tea'),
          await findTexts(episodes, 'milk'),
          await textsOf(
            view,
            nearest.map(({ passage }) => passage),
          ),
          nearest.map(({ similarity }) => similarity),
        ];
      };
      const stale = await other.view(EVERYTHING);
      const before = [await answers(index), await answers(other)];
      expect(await numbersOf(index)).toEqual({ next: 24, least: 6, most: 23 });
      await index.optimize();
      expect(await numbersOf(index)).toEqual({ next: 6, least: 0, most: 5 });
      // What was looked at before counts by numbers that mean other passages now.
      await expect(stale.read([6])).rejects.toMatchObject({ code: 'conflict' });
      expect([await answers(index), await answers(other)]).toEqual(before);
      expect(await index.verify()).toEqual([]);
      await index.apply(put(makeDocument({ path: 'new.md' }, ['tea at last'])));
      expect(await findTexts(await other.view(EVERYTHING), 'last')).toEqual(['tea at last']);
      expect(await index.verify()).toEqual([]);
    } finally {
      await index.close();
      await other.close();
    }
  });

  it('finds the nearest by HNSW, with and without a filter, as comparing everything does', async () => {
    const namespace = newName();
    free.push(namespace);
    const index = new PostgresIndex({ ...optionsFor(namespace), compareUpTo: 0 });
    const exact = new PostgresIndex({ ...optionsFor(namespace), compareUpTo: 10_000 });
    try {
      const stores = ['semantic', 'episodic'] as const;
      const documents = stores.map((store) =>
        makeDocument(
          { path: `${store}.md`, store },
          Array.from({ length: 400 }, (_, number) => `${store} ${number}`),
        ),
      );
      await index.apply(put(...documents));
      await embed(index, 'm', randomVector);
      await index.optimize({ isThorough: true });
      expect(await planOf(index)).toMatch(/Index Scan using vectors_\d+_1 on /u);
      const asked = vi.spyOn(Client.prototype, 'query');
      for (const filter of [EVERYTHING, { ...EVERYTHING, stores: ['episodic'] }] as const) {
        const question = randomVector(JSON.stringify(filter));
        const found = await (await index.view(filter)).findNearest('m', question, 10);
        expect(found).toHaveLength(10);
        expect(found).toEqual(await (await exact.view(filter)).findNearest('m', question, 10));
      }
      expect(JSON.stringify(asked.mock.calls)).toContain('embedding::halfvec(16) <#>');
      asked.mockRestore();
    } finally {
      await index.close();
      await exact.close();
    }
  });

  /** What the server makes of the statement that looks for candidates. */
  function planOf({ server: asked }: PostgresIndex): Promise<string> {
    return asked.read(async (transaction) => {
      const sql = candidatesSql({ number: 1, dimensions: 16 }, 100, false);
      const rows = await transaction.rows(`EXPLAIN ${sql}`, vectorText(randomVector('plan')));
      return rows.flat().join('\n');
    });
  }

  async function numbersOf({ server: asked }: PostgresIndex): Promise<object> {
    return asked.read(async (transaction) => {
      const row = await transaction.row('SELECT min(number), max(number) FROM passages WHERE namespace = {ns}');
      return { next: transaction.state.nextPassage, least: row?.[0], most: row?.[1] };
    });
  }
});

/** The same for the same text, of length one. */
function randomVector(text: string): Float32Array {
  const random = new SeededRandom(Buffer.from(hash('sha256', text), 'hex').readUInt32LE());
  const vector = Float32Array.from({ length: 16 }, () => random.number() - 0.5);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}
