import { describe, expect, it } from 'vitest';
import { compress } from './compress.ts';
import { readMessages } from './read-messages.ts';
import type { Summarise } from './summary.ts';
import { writeWindow, type WindowMessage } from './write-window.ts';

const summarise: Summarise = () => Promise.resolve({ topic: 'files', lines: [], by: 'test', notes: [] });

async function compacted(
  given: readonly unknown[],
  maxTokens: number,
  keepMessages = 2,
): Promise<readonly WindowMessage[]> {
  const { messages } = readMessages(JSON.stringify(given), 'x');
  return writeWindow((await compress(messages, { maxTokens, keepMessages, summarise })).messages, messages);
}

const chatter = Array.from({ length: 20 }, (_none, at) => ({
  role: at % 2 === 0 ? 'user' : 'assistant',
  content: `Ship ${at} came late, as ships do in March when the wind is from the north.`,
}));

const ANTHROPIC = [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'Read', input: { path: 'a' } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'words' }] },
  {
    role: 'user',
    content: [
      { type: 'image', source: { type: 'base64', data: 'AAAA' } },
      { type: 'text', text: 'this' },
    ],
  },
];
const OPENAI = [
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'ls', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: 'call_1', content: '' },
  { role: 'user', content: 'and now?' },
];

// SPEC WINDOW-2
describe('writeWindow', () => {
  it.each([
    ['Anthropic', ANTHROPIC],
    ['OpenAI', OPENAI],
  ])('gives back kept messages of %s as they came, and a kept result with its call', async (_service, last) => {
    const left = await compacted([...chatter, ...last], 200);
    expect(left.slice(-3)).toEqual(last);
    expect(left.length).toBeLessThan(chatter.length);
  });

  it('leaves no call without its answer and no answer without its call', async () => {
    const long = 'a line of output\n'.repeat(400);
    const answer = { role: 'tool', tool_call_id: 'call_1', content: long };
    const left = await compacted([...chatter, OPENAI[0], answer, OPENAI[2]], 200);
    expect(JSON.stringify(left)).not.toMatch(/call_1|"role":"tool"/u);
    expect(left.at(-1)).toEqual(OPENAI[2]);
  });
});
