/**
 * An agent of Mastra that remembers: what it heard in one run it knows in the next.
 *
 *     mneme init && npm install
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node mastra.ts "I am allergic to walnuts."
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node mastra.ts "Which cake should I bake?"
 */
import { Agent } from '@mastra/core/agent';
// In a project of your own: from 'mneme' and 'mneme/mastra'.
import { openMneme } from '../../src/index.ts';
import { memoryProcessor } from '../../src/interfaces/adapters/mastra.ts';

const { MODEL_URL = 'http://localhost:11434/v1', MODEL_KEY = 'none', MODEL = 'llama3.2' } = process.env;

const memory = await openMneme();
const session = await memory.session.start({ channel: 'example' });
// Tells the model what is remembered about the message, and takes in what is said.
const processor = memoryProcessor(memory, { session });
const agent = new Agent({
  id: 'baker',
  name: 'Baker',
  instructions: 'You are a baker.',
  model: { id: `example/${MODEL}`, url: MODEL_URL, apiKey: MODEL_KEY },
  inputProcessors: [processor],
  outputProcessors: [processor],
});
const { text } = await agent.generate(process.argv.slice(2).join(' '));
process.stdout.write(`${text}\n`);
// Writes the transcript, and learns from it.
await session.end();
await memory.close();
