/**
 * An agent of the Vercel AI SDK that remembers: what it heard in one run it knows in the next.
 *
 *     mneme init
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node examples/ai-sdk.ts "I am allergic to walnuts."
 *     MODEL_URL=http://localhost:11434/v1 MODEL=llama3.2 node examples/ai-sdk.ts "Which cake should I bake?"
 */
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { generateText, isStepCount, wrapLanguageModel } from 'ai';
// In a project of your own: from 'mneme' and 'mneme/ai-sdk'.
import { openMneme } from '../src/index.ts';
import { memoryMiddleware, memoryTools } from '../src/interfaces/adapters/ai-sdk.ts';

const { MODEL_URL = 'http://localhost:11434/v1', MODEL_KEY = 'none', MODEL = 'llama3.2' } = process.env;
const provider = createOpenAICompatible({ name: 'example', baseURL: MODEL_URL, apiKey: MODEL_KEY });

const memory = await openMneme();
const session = await memory.session.start({ channel: 'example' });
const { text } = await generateText({
  // Tells the model what is remembered about the message, and takes in what is said.
  model: wrapLanguageModel({ model: provider(MODEL), middleware: memoryMiddleware(memory, { session }) }),
  // For what the model wants to look up or to keep by itself.
  tools: await memoryTools(memory, { names: ['memory_search', 'memory_write'] }),
  stopWhen: isStepCount(5),
  prompt: process.argv.slice(2).join(' '),
});
process.stdout.write(`${text}\n`);
// Writes the transcript, and learns from it.
await session.end();
await memory.close();
