import { generateText, isStepCount, streamText, wrapLanguageModel, type LanguageModelMiddleware } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme, type SessionHandle } from '../../index.ts';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { memoryMiddleware, memoryTools } from './ai-sdk.ts';

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;

const usage: Result['usage'] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

function says(text: string): Result {
  return {
    content: [{ type: 'text', text }],
    finishReason: { unified: 'stop', raw: undefined },
    usage,
    warnings: [],
  };
}

function calls(toolName: string, input: object): Result {
  return {
    content: [{ type: 'tool-call', toolCallId: `${toolName}-1`, toolName, input: JSON.stringify(input) }],
    finishReason: { unified: 'tool-calls', raw: undefined },
    usage,
    warnings: [],
  };
}

/** All that the model was sent in its last call. */
function sentTo(model: MockLanguageModelV4, at = -1): string {
  return JSON.stringify(model.doGenerateCalls.at(at)?.prompt);
}

let home: string;
let memory: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  memory = await openMneme({ home });
});

afterEach(() => memory.close());

/** Another process would find the home like this. */
async function reopen(): Promise<void> {
  await memory.close();
  memory = await openMneme({ home });
}

// SPEC MCP-6
describe('tools of the Vercel AI SDK', () => {
  it('write in one run what they find in the next', async () => {
    const writing = new MockLanguageModelV4({
      doGenerate: [calls('memory_write', { text: 'Lea is allergic to walnuts.' }), says('Noted.')],
    });
    const stopWhen = isStepCount(3);
    const first = await generateText({
      model: writing,
      tools: await memoryTools(memory),
      stopWhen,
      prompt: 'Lea must not eat walnuts.',
    });
    expect(first.text).toBe('Noted.');
    expect(sentTo(writing)).toContain('Saved as');
    await reopen();
    const asking = new MockLanguageModelV4({
      doGenerate: [calls('memory_search', { query: 'What is Lea allergic to?' }), says('Walnuts.')],
    });
    await generateText({ model: asking, tools: await memoryTools(memory), stopWhen, prompt: 'Which cake for Lea?' });
    expect(sentTo(asking)).toContain('allergic to walnuts');
  });

  it('answer what cannot be done in words for a model', async () => {
    const model = new MockLanguageModelV4({ doGenerate: [calls('memory_search', {}), says('Sorry.')] });
    await generateText({ model, tools: await memoryTools(memory), stopWhen: isStepCount(2), prompt: 'Look.' });
    expect(sentTo(model)).toContain('memory_search: there is nothing to look for.');
  });

  it('are those that were named, and never more than the mode allows', async () => {
    expect(Object.keys(await memoryTools(memory, { names: ['memory_search', 'memory_write'] }))).toEqual([
      'memory_search',
      'memory_write',
    ]);
    expect(Object.keys(await memoryTools(memory, { mode: 'read-only' }))).not.toContain('memory_write');
    await expect(memoryTools(memory, { mode: 'read-only', names: ['memory_write'] })).rejects.toThrow(
      'There is no tool memory_write here.',
    );
  });

  it('write the words of a model as an agent’s, whoever opened the home', async () => {
    await memory.close();
    memory = await openMneme({ home, actor: 'manual' });
    const { memory_write: write } = await memoryTools(memory);
    await write?.execute?.(
      { text: 'The boiler is serviced by Halden.' },
      { toolCallId: '1', messages: [], context: {} },
    );
    const { hits } = await memory.recall('Who services the boiler?');
    expect(hits.map(({ trust }) => trust)).toEqual(['agent']);
  });

  it('see a private scope only where they work in it', async () => {
    const own = await memoryTools(memory, { scope: 'user:lea' });
    const options = { toolCallId: '1', messages: [], context: {} };
    await own['memory_write']?.execute?.({ text: 'The safe opens with the blue key.' }, options);
    const question = { query: 'Which key opens the safe?' };
    const others = await memoryTools(memory, { scope: 'user:tom' });
    expect(JSON.stringify(await own['memory_search']?.execute?.(question, options))).toContain('blue key');
    expect(JSON.stringify(await others['memory_search']?.execute?.(question, options))).not.toContain('blue key');
  });
});

/** The captured turns, one by one. */
async function turnsOf(session: SessionHandle): Promise<string[]> {
  return [...((await session.buffer())?.text ?? '').matchAll(/^- t\d+ \S+ \S+ (.+)$/gmu)].flatMap(
    ([, turn]) => turn ?? [],
  );
}

describe('middleware of the Vercel AI SDK', () => {
  function wrap(model: MockLanguageModelV4, middleware: LanguageModelMiddleware) {
    return wrapLanguageModel({ model, middleware });
  }

  it('takes in what is said in one run and tells it in the next', async () => {
    const first = new MockLanguageModelV4({ doGenerate: says('I will keep that in mind.') });
    const session = await memory.session.start({ channel: 'app' });
    await generateText({
      model: wrap(first, memoryMiddleware(memory, { session })),
      prompt: 'I am allergic to walnuts.',
    });
    await session.end();
    await reopen();
    const second = new MockLanguageModelV4({ doGenerate: says('No walnuts in it.') });
    await generateText({
      model: wrap(second, memoryMiddleware(memory)),
      instructions: 'You are a baker.',
      prompt: 'Which nuts must I avoid?',
    });
    const prompt = second.doGenerateCalls[0]?.prompt ?? [];
    expect(prompt[0]).toMatchObject({ role: 'system', content: 'You are a baker.' });
    expect(JSON.stringify(prompt)).toContain('allergic to walnuts');
    expect(JSON.stringify(prompt.at(-1))).toContain('Which nuts must I avoid?');
  });

  it('takes in a message once, however often the model is asked about it', async () => {
    const session = await memory.session.start({ channel: 'app' });
    const model = new MockLanguageModelV4({
      doGenerate: [calls('memory_search', { query: 'walnuts' }), says('Nothing known.')],
    });
    await generateText({
      model: wrap(model, memoryMiddleware(memory, { session })),
      tools: await memoryTools(memory),
      stopWhen: isStepCount(3),
      prompt: 'May I eat walnuts?',
    });
    expect(await turnsOf(session)).toEqual(['user: May I eat walnuts?', 'agent: Nothing known.']);
  });

  it('tells a model the same in every step of an answer', async () => {
    await memory.remember('The spare key hangs behind the boiler');
    const model = new MockLanguageModelV4({
      doGenerate: [calls('memory_search', { query: 'key' }), says('Behind the boiler.')],
    });
    await generateText({
      model: wrap(model, memoryMiddleware(memory)),
      tools: await memoryTools(memory),
      stopWhen: isStepCount(3),
      prompt: 'Where is the spare key?',
    });
    const [before, after] = model.doGenerateCalls.map(({ prompt }) => prompt);
    expect(JSON.stringify(before)).toContain('behind the boiler');
    expect(after?.slice(0, before?.length)).toEqual(before);
  });

  it('takes in what was streamed, without holding it back', async () => {
    const session = await memory.session.start({ channel: 'app' });
    const model = new MockLanguageModelV4({
      doStream: {
        stream: convertArrayToReadableStream([
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'Behind ' },
          { type: 'text-delta', id: '1', delta: 'the boiler.' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: { unified: 'stop', raw: undefined }, usage },
        ]),
      },
    });
    const { textStream } = streamText({
      model: wrap(model, memoryMiddleware(memory, { session })),
      prompt: 'Where is the spare key?',
    });
    const parts: string[] = [];
    for await (const part of textStream) parts.push(part);
    expect(parts).toEqual(['Behind ', 'the boiler.']);
    expect(await turnsOf(session)).toEqual(['user: Where is the spare key?', 'agent: Behind the boiler.']);
  });

  it('lets the model answer without a memory that fails, and says why', async () => {
    const problems: string[] = [];
    const middleware = memoryMiddleware(memory, { onProblem: (message) => problems.push(message) });
    await memory.close();
    const model = new MockLanguageModelV4({ doGenerate: says('Hello.') });
    const { text } = await generateText({ model: wrap(model, middleware), prompt: 'Hello there, Mneme' });
    expect(text).toBe('Hello.');
    expect(problems.join('\n')).toContain('was closed');
  });
});
