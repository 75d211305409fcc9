/**
 * A LangGraph graph whose `store` is the memory: what it kept in one run it finds in the next.
 *
 *     mneme init && npm install
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node langgraph.ts "I am allergic to walnuts."
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node langgraph.ts "Which cake should I bake?"
 */
import { randomUUID } from 'node:crypto';
import { Annotation, END, START, StateGraph, type LangGraphRunnableConfig } from '@langchain/langgraph';
// In a project of your own: from 'mneme' and 'mneme/langgraph'.
import { openMneme } from '../../src/index.ts';
import { memoryStore } from '../../src/interfaces/adapters/langgraph.ts';

const { MODEL_URL = 'http://localhost:11434/v1', MODEL_KEY = 'none', MODEL = 'llama3.2' } = process.env;
const State = Annotation.Root({ message: Annotation<string>, answer: Annotation<string> });
const NAMESPACE = ['users', 'example', 'said'];

async function answer(
  { message }: typeof State.State,
  { store }: LangGraphRunnableConfig,
): Promise<{ answer: string }> {
  const known = (await store?.search(NAMESPACE, { query: message, limit: 5 })) ?? [];
  const system = `You know of the user:\n${known.map(({ value }) => `- ${value['text']}`).join('\n')}`;
  await store?.put(NAMESPACE, randomUUID(), { text: message });
  return { answer: await ask(system, message) };
}

/** Any model that speaks OpenAI's chat completions; yours is a chat model of LangChain. */
async function ask(system: string, message: string): Promise<string> {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: message },
  ];
  const response = await fetch(`${MODEL_URL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MODEL_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages }),
  });
  if (!response.ok) throw new Error(`The model answered with ${response.status}: ${await response.text()}`);
  const { choices } = (await response.json()) as { choices: { message: { content: string } }[] };
  return choices[0]?.message.content ?? '';
}

const memory = await openMneme();
const graph = new StateGraph(State)
  .addNode('talk', answer)
  .addEdge(START, 'talk')
  .addEdge('talk', END)
  .compile({ store: memoryStore(memory) });
const result = await graph.invoke({ message: process.argv.slice(2).join(' ') });
process.stdout.write(`${result.answer}\n`);
await memory.close();
