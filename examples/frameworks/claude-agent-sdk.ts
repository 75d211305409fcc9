/**
 * An agent of the Claude Agent SDK that remembers: what it heard in one run it knows in the next.
 *
 *     mneme init && npm install
 *     node claude-agent-sdk.ts "I am allergic to walnuts."
 *     node claude-agent-sdk.ts "Which cake should I bake?"
 */
import { query } from '@anthropic-ai/claude-agent-sdk';
// In a project of your own: from 'mneme' and 'mneme/claude-agent-sdk'.
import { openMneme } from '../../src/index.ts';
import { memoryOptions } from '../../src/interfaces/adapters/claude-agent-sdk.ts';

const { CLAUDE } = process.env;

const memory = await openMneme();
const session = await memory.session.start({ channel: 'example' });
const answer = query({
  prompt: process.argv.slice(2).join(' '),
  options: {
    // Tells the model what is remembered about the message, takes in what is said, and offers the memory's tools.
    ...(await memoryOptions(memory, { session })),
    settingSources: [],
    ...(CLAUDE === undefined ? {} : { pathToClaudeCodeExecutable: CLAUDE }),
  },
});
for await (const message of answer) {
  if (message.type === 'result' && message.subtype === 'success') process.stdout.write(`${message.result}\n`);
}
// Writes the transcript, and learns from it.
await session.end();
await memory.close();
