import {
  Annotation,
  type BaseStore,
  END,
  InMemoryStore,
  START,
  StateGraph,
  type LangGraphRunnableConfig,
} from '@langchain/langgraph';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { memoryStore } from '../../src/interfaces/adapters/langgraph.ts';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';

const State = Annotation.Root({ message: Annotation<string>, answer: Annotation<string> });
const NAMESPACE = ['users', 'lea'];

let home: string;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
});

/** One run of an agent, as another process would do it. */
async function run(message: string): Promise<string> {
  const memory = await openMneme({ home });
  const talk = async ({ message }: typeof State.State, { store }: LangGraphRunnableConfig) => {
    const known = (await store?.search(NAMESPACE, { query: message })) ?? [];
    const model = new FakeListChatModel({ responses: [`You know: ${known.map(({ value }) => value['text']).join()}`] });
    await store?.put(NAMESPACE, message.slice(0, 8), { text: message, tags: ['said'] });
    const { text } = await model.invoke(message);
    return { answer: text };
  };
  const graph = new StateGraph(State).addNode('talk', talk).addEdge(START, 'talk').addEdge('talk', END);
  const { answer } = await graph.compile({ store: memoryStore(memory) }).invoke({ message });
  await memory.close();
  return answer;
}

describe('the store of a LangGraph graph', () => {
  it('keeps in one run what it finds in the next', async () => {
    expect(await run('Lea is allergic to walnuts.')).toBe('You know: ');
    expect(await run('What is Lea allergic to?')).toBe('You know: Lea is allergic to walnuts.');
  });

  it('gives back every value as it was, and forgets what was deleted', async () => {
    const memory = await openMneme({ home });
    const store = memoryStore(memory);
    const value = { text: 'a ``` fence\n```json\n{}', deep: { list: [1, null, 'ü'] }, '': true };
    await store.put(['a/b', '..', 'ü'], 'key / 1', value);
    const first = await store.get(['a/b', '..', 'ü'], 'key / 1');
    expect(first).toMatchObject({ value, key: 'key / 1', namespace: ['a/b', '..', 'ü'] });
    await store.put(['a/b', '..', 'ü'], 'key / 1', { text: 'again' });
    const second = await store.get(['a/b', '..', 'ü'], 'key / 1');
    expect(second).toMatchObject({ value: { text: 'again' }, createdAt: first?.createdAt });
    await store.delete(['a/b', '..', 'ü'], 'key / 1');
    expect(await store.get(['a/b', '..', 'ü'], 'key / 1')).toBeNull();
    await memory.close();
  });

  it('answers a batch as LangGraph’s own store does', async () => {
    const memory = await openMneme({ home });
    const answers: unknown[] = [];
    const stores: BaseStore[] = [memoryStore(memory), new InMemoryStore()];
    for (const store of stores) {
      await store.put(['docs', 'a'], 'one', { text: 'one', size: 1 });
      await store.put(['docs', 'b'], 'two', { text: 'two', size: 2 });
      await store.put(['other'], 'three', { text: 'three', size: 3 });
      const results = await store.batch([
        { namespace: ['docs', 'a'], key: 'one' },
        { namespace: ['docs', 'a'], key: 'none' },
        { namespacePrefix: ['docs'], filter: { size: { $gt: 1 } } },
        { namespacePrefix: ['docs'], limit: 1, offset: 1 },
        { matchConditions: [{ matchType: 'prefix', path: ['docs', '*'] }], limit: 10, offset: 0 },
        { matchConditions: [{ matchType: 'suffix', path: ['b'] }], maxDepth: 1, limit: 10, offset: 0 },
      ]);
      answers.push(
        JSON.parse(JSON.stringify(results, (name, value) => (/(?:ed)?At$/u.test(name) ? undefined : value))),
      );
    }
    await memory.close();
    expect(answers[0]).toEqual(answers[1]);
  });

  it('holds the items of a private scope apart', async () => {
    const memory = await openMneme({ home });
    await memoryStore(memory, { scope: 'user:lea' }).put(['safe'], 'key', {
      text: 'The safe opens with the blue key.',
    });
    expect(await memoryStore(memory, { scope: 'user:tom' }).search([], { query: 'Which key opens the safe?' })).toEqual(
      [],
    );
    expect(
      await memoryStore(memory, { scope: 'user:lea' }).search([], { query: 'Which key opens the safe?' }),
    ).toHaveLength(1);
    await memory.close();
  });
});
