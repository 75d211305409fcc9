import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { serveTestHome, type TestServer } from '../../../../test/support/http-server.ts';
import type { Asked } from './answer-thread.ts';
import { AnswerThreads } from './answer-threads.ts';

const ASKED: Asked = { actor: 'human:me', scope: undefined, input: { query: 'tea' } };

function pretend(onMessage: string): () => Worker {
  const code = `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', (message) => { if (message === 'close') parentPort.close(); else { ${onMessage} } });
    parentPort.postMessage({ kind: 'ready' });`;
  return () => new Worker(code, { eval: true });
}

async function startPretended(
  onMessage: string,
): Promise<{ readonly threads: AnswerThreads; readonly said: string[] }> {
  const said: string[] = [];
  const onProblem = (message: string): void => void said.push(message);
  const threads = new AnswerThreads({ home: '', onProblem, start: pretend(onMessage) });
  threads.start(1);
  await vi.waitUntil(() => threads.ready === 1, 20_000);
  return { threads, said };
}

// SPEC HTTP-5
describe('a thread that helps', () => {
  test('dies: whoever waits is told to ask elsewhere, and it is said', async () => {
    const { threads, said } = await startPretended('process.exit(1)');
    expect(await threads.recall(ASKED)).toBeUndefined();
    expect(await threads.recall(ASKED)).toBeUndefined();
    expect(threads.ready).toBe(0);
    expect(said.join()).toContain('has ended');
    await threads.close();
  });

  test('is busy: the third is answered elsewhere', async () => {
    const { threads } = await startPretended('setTimeout(() => process.exit(1), 200)');
    const first = threads.recall(ASKED);
    const second = threads.recall(ASKED);
    expect(await Promise.race([threads.recall(ASKED).then(() => 'here'), first])).toBe('here');
    expect([await first, await second]).toEqual([undefined, undefined]);
    await threads.close();
  });

  test('fails at one question: it is asked elsewhere, and the next goes to the thread again', async () => {
    const { threads } = await startPretended(
      "parentPort.postMessage(message.number === 1 ? { kind: 'failed', number: 1 } : { kind: 'answer', number: message.number, json: '{}' })",
    );
    expect(await threads.recall(ASKED)).toBeUndefined();
    expect((await threads.recall(ASKED))?.text).toBe('{}');
    await threads.close();
  });
});

describe('a server with a thread', () => {
  let server: TestServer;

  beforeAll(async () => {
    server = await serveTestHome({ threads: 1 });
    const hasThread = async (): Promise<boolean> => {
      const headers = { authorization: `Bearer ${server.token('owner')}` };
      const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
      return metrics.includes('mneme_http_answer_threads 1');
    };
    await vi.waitUntil(hasThread, { timeout: 60_000, interval: 100 });
  });

  afterAll(() => server.close());

  test('finds what was written a moment ago, and answers as the main thread does', async () => {
    const client = server.client('main');
    for (const drink of ['tea', 'coffee', 'cocoa']) {
      await client.call('remember', { text: `On Sundays we drink ${drink}.` });
      const here = await server.mneme.recall(drink, { limit: 1 });
      const { hits } = await client.call('recall', { query: drink, limit: 1 });
      expect(hits.map(({ id, snippet }) => ({ id, snippet }))).toEqual(
        here.hits.map(({ id, snippet }) => ({ id, snippet })),
      );
      expect(hits[0]?.snippet).toContain(drink);
    }
    expect(server.problems).toEqual([]);
  });

  test('a mistake in a question is told in the same words', async () => {
    const asked = server.client('reader').call('recall', { query: '  ' });
    await expect(asked).rejects.toMatchObject({ status: 400, code: 'usage', message: 'There is nothing to look for.' });
  });

  test('what is private to others stays so', async () => {
    const client = server.client('main');
    await client.call('remember', { text: 'The safe opens with 7-7-7.', scope: 'user:ada' });
    const { hits } = await server.client('reader').call('recall', { query: 'safe opens' });
    expect(hits.filter(({ text }) => text.includes('7-7-7'))).toEqual([]);
  });
});
