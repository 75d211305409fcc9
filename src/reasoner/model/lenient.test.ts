import { afterEach, describe, expect, it } from 'vitest';
import { extractInput, startHarness, turn, type Harness } from './testing/harness.ts';

let harness: Harness;
afterEach(() => harness.close());

const LOCAL = { provider: 'openai-compatible' } as const;
const GATE = {
  message: 'Shall we ship it on Friday?',
  topic: { name: 'Deploys', description: 'How we deploy.', keywords: ['deploy'] },
  matched: [],
  likeness: 0.5,
};

// SPEC LEARN-4
describe('a small local model', () => {
  it.each([
    ['yes', true],
    ['**No.** It is about lunch.', false],
    ['{"answer": "yes"}', true],
    ['```json\n{"answer": "No"}\n```', false],
  ])('answers the gate with %j', async (said, output) => {
    harness = await startHarness(() => said, LOCAL);
    expect(await harness.reasoner.ask('gate', GATE)).toMatchObject({ output, notes: [] });
    expect(harness.calls.map(({ outcome }) => outcome)).toEqual(['ok']);
  });

  it('is asked again when it says neither yes nor no', async () => {
    harness = await startHarness(() => 'Maybe so.', LOCAL);
    expect(await harness.reasoner.ask('gate', GATE)).toMatchObject({ by: 'heuristic@test' });
    expect(harness.calls.map(({ outcome }) => outcome)).toEqual(['invalid', 'invalid']);
  });

  it('may leave out what is empty, or write null for it', async () => {
    const finding = {
      kind: 'fact',
      statement: 'Lea works at Halden.',
      turns: ['t1'],
      quote: 'Lea works at Halden',
      rationale: null,
      entities: [{ name: 'Lea' }],
    };
    harness = await startHarness(() => JSON.stringify({ findings: [finding] }), LOCAL);
    const { output, notes } = await harness.reasoner.ask('extract', extractInput([turn('t1', 'Lea works at Halden.')]));
    expect(notes).toEqual([]);
    expect(output).toMatchObject([{ statement: 'Lea works at Halden.', importance: 0.5, tags: [] }]);
  });

  it('pays for the tokens that its server does not count', async () => {
    harness = await startHarness(() => '{"slug": "tile-cache"}', LOCAL);
    const message = { role: 'assistant', content: '{"slug": "tile-cache"}' };
    const body = { id: '1', object: 'chat.completion', choices: [{ index: 0, message, finish_reason: 'stop' }] };
    harness.server.faults.push({ status: 200, body });
    expect(await harness.reasoner.ask('slug', { text: 'the tile cache' })).toMatchObject({ output: 'tile-cache' });
    const [call] = harness.calls;
    expect(call).toMatchObject({ outcome: 'ok', isEstimate: true });
    expect(call?.tokensIn).toBeGreaterThan(50);
    expect(call?.tokensOut).toBeGreaterThan(3);
  });
});
