import type { Client } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme } from '../../src/index.ts';
import { initTestHome, makeTemporaryFolder } from '../support/home.ts';
import { call, connectStdio, type CalledTool } from '../support/mcp.ts';

type UserAnswer = 'yes' | 'no' | 'dismissed' | 'unable';

let home: string;
let client: Client | undefined;
let questions: string[];

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  questions = [];
});

afterEach(() => client?.close());

/** A client whose user answers every dialogue like this. */
async function connect(answer: UserAnswer): Promise<Client> {
  client = await connectStdio(home, [], { capabilities: answer === 'unable' ? {} : { elicitation: { form: {} } } });
  if (answer === 'unable') return client;
  client.setRequestHandler('elicitation/create', ({ params }) => {
    questions.push(params.message);
    if (answer === 'dismissed') return { action: 'cancel' };
    return { action: 'accept', content: { approve: answer === 'yes' } };
  });
  return client;
}

async function remember(text: string): Promise<string> {
  const memory = await openMneme({ home });
  const { id } = await memory.remember(text);
  await memory.close();
  return id;
}

async function finds(text: string): Promise<boolean> {
  const memory = await openMneme({ home });
  const { hits } = await memory.recall(text);
  await memory.close();
  return hits.some((hit) => hit.text.includes(text));
}

function keepForGood(): Promise<CalledTool> {
  if (client === undefined) throw new Error('not connected');
  return call(client, 'memory_write', { text: 'The safe opens with the blue key.', store: 'vault' });
}

// SPEC MCP-7
describe('a change that waits for the user', () => {
  it('happens at once after a yes in the client’s dialogue', async () => {
    await connect('yes');
    const { structured } = await keepForGood();
    expect(structured).toMatchObject({ outcome: 'applied' });
    expect(structured['message']).toContain('the user was asked and agreed');
    expect(questions).toEqual([expect.stringContaining('The safe opens with the blue key.')]);
    expect(await finds('The safe opens with the blue key.')).toBe(true);
  });

  it.each(['no', 'dismissed'] as const)('waits on when the dialogue is answered with: %s', async (answer) => {
    await connect(answer);
    const { structured } = await keepForGood();
    expect(structured).toMatchObject({ outcome: 'filed' });
    expect(structured['message']).toMatch(/^NOT done: the user was asked and did not agree/u);
    expect(questions).toHaveLength(1);
  });

  it('is told to the model where the client has no dialogue', async () => {
    await connect('unable');
    const { structured } = await keepForGood();
    expect(structured['message']).toMatch(/^NOT saved yet: it waits for the user's approval/u);
  });
});

describe('forgetting', () => {
  it('shows the list in the client’s dialogue, and archives it after a yes', async () => {
    const id = await remember('The old office is in Graz.');
    const { structured } = await call(await connect('yes'), 'memory_forget', { ids: [id] });
    expect(structured['message']).toMatch(/^The user was asked and agreed\. Archived: .* It can be restored\.$/u);
    expect(questions).toEqual([expect.stringContaining('The old office is in Graz.')]);
    expect(await finds('The old office is in Graz.')).toBe(false);
  });

  it.each(['no', 'dismissed'] as const)('does nothing when the dialogue is answered with: %s', async (answer) => {
    const id = await remember('The old office is in Graz.');
    const { structured } = await call(await connect(answer), 'memory_forget', { ids: [id] });
    expect(structured).toEqual({
      outcome: 'kept',
      message: 'Nothing is forgotten: the user was asked and did not agree. Do not ask again.',
    });
    expect(await finds('The old office is in Graz.')).toBe(true);
  });

  it('gives a code where the client has no dialogue', async () => {
    const id = await remember('The old office is in Graz.');
    const { structured } = await call(await connect('unable'), 'memory_forget', { ids: [id] });
    expect(structured['message']).toMatch(/^Nothing is forgotten yet\. Show the user the list and ask/u);
  });
});
