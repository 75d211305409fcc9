import { Agent } from '@mastra/core/agent';
import { createMockModel } from '@mastra/core/test-utils/llm-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { memoryProcessor } from '../../src/interfaces/adapters/mastra.ts';
import { initTestHome, makeTemporaryFolder } from '../../test/support/home.ts';

type MockModel = Extract<ReturnType<typeof createMockModel>, { readonly specificationVersion: 'v2' }>;

let home: string;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
});

/** One run of an agent, as another process would do it; resolves to what the model was sent, and the session. */
async function run(prompt: string, mockText: string): Promise<{ readonly sent: string; readonly id: string }> {
  const memory = await openMneme({ home });
  const session = await memory.session.start({ channel: 'app' });
  const processor = memoryProcessor(memory, { session });
  const sent: unknown[] = [];
  const model = createMockModel({
    version: 'v2',
    mockText,
    spyGenerate: (props: { prompt: unknown }) => sent.push(props.prompt),
  }) as MockModel;
  const agent = new Agent({
    id: 'baker',
    name: 'Baker',
    instructions: 'You are a baker.',
    model,
    inputProcessors: [processor],
    outputProcessors: [processor],
  });
  const { text } = await agent.generate(prompt);
  expect(text).toBe(mockText);
  await session.end();
  await memory.close();
  return { sent: JSON.stringify(sent), id: session.id };
}

describe('a processor of a Mastra agent', () => {
  it('takes in what is said in one run and tells it in the next', async () => {
    const { id } = await run('I am allergic to walnuts.', 'I will keep that in mind.');
    const { sent } = await run('Which nuts must I avoid?', 'Walnuts.');
    expect(sent).toContain('allergic to walnuts');
    expect(sent).toContain('You are a baker.');
    const memory = await openMneme({ home });
    const { turns } = await memory.session.transcript(id);
    expect(turns.map(({ role, text }) => [role, text])).toEqual([
      ['user', 'I am allergic to walnuts.'],
      ['agent', 'I will keep that in mind.'],
    ]);
    await memory.close();
  });
});
