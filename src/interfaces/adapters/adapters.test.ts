import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openMneme, type Mneme } from '../../index.ts';
import { initTestHome, makeTemporaryFolder } from '../../../test/support/home.ts';
import { memoryOptions } from './claude-agent-sdk.ts';
import { memoryStore } from './langgraph.ts';
import { memoryProcessor } from './mastra.ts';
import { memoryConversation } from './openai-agents.ts';

// The real libraries run with examples/frameworks; these are about what they are not asked there.

let home: string;
let memory: Mneme;

beforeEach(async () => {
  home = makeTemporaryFolder();
  await initTestHome(home);
  memory = await openMneme({ home });
});

afterEach(() => memory.close());

// SPEC MCP-6
describe('an agent whose memory fails', () => {
  it('answers with every adapter, and says why', async () => {
    const problems: string[] = [];
    const session = await memory.session.start({ channel: 'app' });
    const options = { session, onProblem: (message: string) => problems.push(message) };
    const { hooks } = await memoryOptions(memory, options);
    const processor = memoryProcessor(memory, options);
    const conversation = await memoryConversation(memory, options);
    await memory.close();
    const input = { hook_event_name: 'UserPromptSubmit', prompt: 'Hello there' };
    expect(await hooks.UserPromptSubmit[0]?.hooks[0]?.(input)).toEqual({});
    const messages = [{ id: '1', role: 'user', content: { parts: [{ type: 'text', text: 'Hello there' }] } }];
    expect(await processor.processInput({ messages, systemMessages: [] })).toEqual({ messages, systemMessages: [] });
    const added = [{ role: 'user', content: 'Hello there' }];
    expect(await conversation.sessionInputCallback([], added)).toEqual(added);
    await conversation.session.addItems([...added, { role: 'assistant', content: 'Hello.' }]);
    expect(await conversation.session.getItems()).toHaveLength(2);
    expect(problems.filter((problem) => problem.includes('was closed')).length).toBeGreaterThan(5);
  });
});

describe('a store of an application', () => {
  it('refuses to keep what would only be proposed', async () => {
    await memory.close();
    memory = await openMneme({ home, actor: 'subagent:helper' });
    const store = memoryStore(memory);
    await expect(store.put(['users'], 'lea', { text: 'Lea likes walnuts.' })).rejects.toThrow(
      /Nothing changed yet: "kept lea" waits as proposal/u,
    );
    expect(await store.get(['users'], 'lea')).toBeNull();
  });

  it('says which item no longer holds JSON', async () => {
    const store = memoryStore(memory);
    await store.put(['users'], 'lea', { text: 'Lea likes walnuts.' });
    const path = 'memory/agent-notes/store/users/lea.md';
    const { text } = await memory.read(path);
    expect(text).toContain('- text: Lea likes walnuts.');
    await memory.edit({ path, replace: '{', with: '{,' });
    await expect(store.get(['users'], 'lea')).rejects.toThrow('The item users/lea of the store holds no JSON.');
  });

  it('says which operator of a filter it does not know', async () => {
    const store = memoryStore(memory);
    await store.put(['users'], 'lea', { age: 7 });
    expect(await store.search(['users'], { filter: { age: { $gte: 7, $lt: 8 } } })).toHaveLength(1);
    await expect(store.search(['users'], { filter: { age: { $near: 7 } } })).rejects.toThrow(
      'Unknown operator "$near" in a filter.',
    );
  });
});
