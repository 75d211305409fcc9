/**
 * An agent of the OpenAI Agents SDK that remembers: what it heard in one run it knows in the next.
 *
 *     mneme init && npm install
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node openai-agents.ts "I am allergic to walnuts."
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node openai-agents.ts "Which cake should I bake?"
 */
import { Agent, OpenAIProvider, Runner, setTracingDisabled, tool } from '@openai/agents';
// In a project of your own: from 'mneme' and 'mneme/openai-agents'.
import { agentTools, openMneme } from '../../src/index.ts';
import { memoryConversation } from '../../src/interfaces/adapters/openai-agents.ts';

const { MODEL_URL = 'http://localhost:11434/v1', MODEL_KEY = 'none', MODEL = 'llama3.2' } = process.env;
setTracingDisabled(true);

const memory = await openMneme();
const session = await memory.session.start({ channel: 'example' });
// For what the model wants to look up or to keep by itself.
const tools = await agentTools(memory, { names: ['memory_search', 'memory_write'] });
const agent = new Agent({
  name: 'Baker',
  model: MODEL,
  tools: tools.map(({ name, description, inputSchema, call }) =>
    tool({ name, description, strict: false, parameters: inputSchema as never, execute: call }),
  ),
});
const runner = new Runner({
  modelProvider: new OpenAIProvider({ baseURL: MODEL_URL, apiKey: MODEL_KEY, useResponses: false }),
});
// Tells the model what is remembered about the message, and takes in what is said.
const conversation = await memoryConversation(memory, { session });
const { finalOutput } = await runner.run(agent, process.argv.slice(2).join(' '), conversation);
process.stdout.write(`${finalOutput}\n`);
// Writes the transcript, and learns from it.
await session.end();
await memory.close();
