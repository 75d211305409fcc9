import {
  Agent,
  Runner,
  setTracingDisabled,
  tool,
  Usage,
  type Model,
  type ModelRequest,
  type ModelResponse,
} from '@openai/agents';
import { beforeEach, describe, expect, it } from 'vitest';
import { agentTools, openMneme, type Mneme } from '../../src/index.ts';
import { memoryConversation } from '../../src/interfaces/adapters/openai-agents.ts';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';

setTracingDisabled(true);

type Output = ModelResponse['output'];

/** Answers as it was told to, one call after the other, and keeps what it was asked. */
class FakeModel implements Model {
  readonly asked: string[] = [];
  readonly #outputs: Output[];

  constructor(...outputs: Output[]) {
    this.#outputs = outputs;
  }

  getResponse({ input }: ModelRequest): Promise<ModelResponse> {
    this.asked.push(JSON.stringify(input));
    return Promise.resolve({ usage: new Usage(), output: this.#outputs.shift() ?? says('Nothing more.') });
  }

  // oxlint-disable-next-line require-yield
  async *getStreamedResponse(): AsyncGenerator<never> {
    throw new Error('not streamed here');
  }
}

function says(text: string): Output {
  return [{ type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] }];
}

function calls(name: string, args: object): Output {
  return [{ type: 'function_call', callId: '1', name, status: 'completed', arguments: JSON.stringify(args) }];
}

let home: string;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
});

/** One run of an agent, as another process would do it. */
async function run(model: Model, input: string, id?: string): Promise<string> {
  const memory = await openMneme({ home });
  const session = await memory.session.start({ channel: 'app', ...(id === undefined ? {} : { id }) });
  const agent = new Agent({ name: 'Baker', model, tools: await toolsOf(memory) });
  const conversation = await memoryConversation(memory, { session });
  await new Runner().run(agent, input, conversation);
  await session.end();
  await memory.close();
  return session.id;
}

async function toolsOf(memory: Mneme) {
  return (await agentTools(memory)).map(({ name, description, inputSchema, call }) =>
    tool({ name, description, strict: false, parameters: inputSchema as never, execute: call }),
  );
}

describe('a conversation of the OpenAI Agents SDK', () => {
  it('takes in what is said in one run and tells it in the next', async () => {
    await run(new FakeModel(says('I will keep that in mind.')), 'I am allergic to walnuts.');
    const model = new FakeModel(says('No walnuts in it.'));
    await run(model, 'Which nuts must I avoid?');
    expect(model.asked[0]).toContain('allergic to walnuts');
  });

  it('writes by a tool in one run what it finds by one in the next', async () => {
    await run(
      new FakeModel(calls('memory_write', { text: 'Lea is allergic to walnuts.' }), says('Noted.')),
      'Keep it.',
    );
    const model = new FakeModel(calls('memory_search', { query: 'What is Lea allergic to?' }), says('Walnuts.'));
    await run(model, 'Look it up.');
    expect(model.asked.at(-1)).toContain('allergic to walnuts');
  });

  it('goes on in another process with what was said, and never with what was only told', async () => {
    const memory = await openMneme({ home });
    await memory.remember('The spare key hangs behind the boiler');
    await memory.close();
    const id = await run(new FakeModel(says('Behind the boiler.')), 'Where is the spare key?');
    const model = new FakeModel(says('Yes.'));
    await run(model, 'Are you sure?', id);
    const items = JSON.parse(model.asked[0] ?? '[]') as { readonly role: string; readonly content: unknown }[];
    expect(items.filter(({ role }) => role !== 'system').map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'user',
    ]);
    expect(JSON.stringify(items)).toContain('Where is the spare key?');
    expect(JSON.stringify(items)).toContain('Behind the boiler.');
  });

  it('keeps every item of a run in one process, and gives the last back', async () => {
    const memory = await openMneme({ home });
    const session = await memory.session.start({ channel: 'app' });
    const conversation = await memoryConversation(memory, { session });
    const model = new FakeModel(calls('memory_search', { query: 'walnuts' }), says('Nothing.'), says('No.'));
    const agent = new Agent({ name: 'Baker', model, tools: await toolsOf(memory) });
    await new Runner().run(agent, 'May I eat walnuts?', conversation);
    await new Runner().run(agent, 'Really?', conversation);
    const items = (await conversation.session.getItems()) as { readonly type?: string; readonly role?: string }[];
    expect(items.map(({ type, role }) => role ?? type)).toEqual([
      'user',
      'function_call',
      'function_call_result',
      'assistant',
      'user',
      'assistant',
    ]);
    expect(await conversation.session.getItems(1)).toEqual([await conversation.session.popItem()]);
    await memory.close();
  });
});
