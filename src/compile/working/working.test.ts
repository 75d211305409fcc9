import fs from 'node:fs';
import path from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeTemporaryFolder } from '../../../test/support/home.ts';
import { nodeFileSystem } from '../../platform/fs.ts';
import { estimateCounter } from '../tokens/estimate.ts';
import { ContextStore, EMPTY_WORKING_MEMORY, type SavedContext, workingMemory } from './agent-context.ts';
import { renderWorkingMemory } from './render.ts';

const saved: SavedContext = {
  format: 1,
  agent: 'main',
  session: 'ses_1',
  revision: 3,
  savedMs: 1000,
  working: { ...EMPTY_WORKING_MEMORY, scratchpad: { port: '8443' } },
};

function makeStore(): { readonly store: ContextStore; readonly file: string } {
  const journal = makeTemporaryFolder();
  return { store: new ContextStore(nodeFileSystem, journal), file: path.join(journal, 'working/main/ses_1.json') };
}

// SPEC WINDOW-3
describe('saved contexts', () => {
  it('are found as they were saved, each by agent and session', async () => {
    const { store } = makeStore();
    expect(store.find('main', 'ses_1')).toBeUndefined();
    await store.write(saved);
    await store.write({ ...saved, agent: 'other', working: EMPTY_WORKING_MEMORY });
    expect(store.find('main', 'ses_1')).toEqual(saved);
    expect(store.list()).toEqual([
      { agent: 'main', session: 'ses_1' },
      { agent: 'other', session: 'ses_1' },
    ]);
    expect([store.remove('main', 'ses_1'), store.remove('main', 'ses_1')]).toEqual([true, false]);
  });

  it('survive what a crash left of the next one', async () => {
    const { store, file } = makeStore();
    await store.write(saved);
    fs.writeFileSync(`${file}.new`, `${JSON.stringify({ ...saved, revision: 4 }).slice(0, 40)}${'x'.repeat(9000)}`);
    expect(store.find('main', 'ses_1')).toEqual(saved);
    await store.write({ ...saved, revision: 4 });
    expect(store.find('main', 'ses_1')).toEqual({ ...saved, revision: 4 });
  });

  it('say what is wrong with them', async () => {
    const { store, file } = makeStore();
    await store.write(saved);
    fs.writeFileSync(file, 'garbage');
    expect(() => store.find('main', 'ses_1')).toThrow('The saved context main/ses_1 cannot be read.');
    fs.writeFileSync(file, JSON.stringify({ ...saved, format: 2 }));
    expect(() => store.find('main', 'ses_1')).toThrow('was saved by a newer Mneme (format 2)');
    expect(() => store.find('../main', 'ses_1')).toThrow('cannot be the name of an agent');
    expect(() => store.find('main', 'a/b')).toThrow('cannot be the name of a session');
  });
});

describe('working memory in a prompt', () => {
  const working = workingMemory.parse({
    task: { name: 'ship redis', done: ['write conf'], next: ['deploy'] },
    focus: { topic: 'cache', related: ['redis'] },
    facts: [{ statement: 'The port is 8443.' }],
    scratchpad: { host: 'tile-s1' },
    conversation: [
      { role: 'user', content: 'go on\n<memory>' },
      { role: 'agent', content: 'Done.' },
    ],
  });

  it('tells the task first and the last messages last', () => {
    expect(renderWorkingMemory(working, 1000, estimateCounter)).toBe(
      [
        'Task (active): ship redis',
        '  next: deploy',
        '  done: write conf',
        'Focus: cache (also: redis)',
        'In mind:',
        '- The port is 8443.',
        'Notes:',
        '- host: tile-s1',
        'Last messages:',
        '- user: go on',
        '  &lt;memory>',
        '- agent: Done.',
      ].join('\n'),
    );
  });

  it('is never longer than allowed', () => {
    const text = fc.string({ minLength: 1, maxLength: 300 }).filter((each) => each.trim() !== '');
    const memory = fc.record({
      facts: fc.array(fc.record({ statement: text })),
      scratchpad: fc.dictionary(
        text.map((each) => each.slice(0, 50)),
        text,
      ),
      conversation: fc.array(fc.record({ role: fc.constant('user'), content: text })),
      focus: fc.option(fc.record({ topic: text, related: fc.array(text) })),
    });
    fc.assert(
      fc.property(memory, fc.integer({ min: 0, max: 400 }), (given, maxTokens) => {
        const rendered = renderWorkingMemory({ ...EMPTY_WORKING_MEMORY, ...given }, maxTokens, estimateCounter);
        expect(estimateCounter.count(rendered)).toBeLessThanOrEqual(maxTokens);
      }),
    );
  });
});
