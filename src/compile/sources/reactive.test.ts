import { describe, expect, it } from 'vitest';
import { makeWorld } from '../testing/made-up-world.ts';
import { compileWith } from '../testing/requests.ts';

const brought = (path: string, text: string) =>
  ({
    subscription: path,
    kind: 'path',
    id: path,
    path,
    text,
    trust: 'user',
    scope: 'shared',
    time: null,
    score: null,
  }) as const;

/** The text that a topic adds when it may take so many bytes. */
async function broughtWithin(maxBytes: number): Promise<string> {
  const harbour = {
    name: 'harbour',
    title: 'Harbour',
    path: 'topics/harbour.md',
    priority: 'medium',
    activation: 'auto',
    cause: 'message',
    reason: 'the word harbour',
    matches: [],
    score: 1,
    body: 'Be careful with cranes.',
    maxBytes,
    subscriptions: [brought('first.md', 'crane '.repeat(100)), brought('second.md', 'tide '.repeat(10))],
    keywords: [],
  } as const;
  const world = await makeWorld({ workspace: {}, topics: { active: [harbour] } });
  const { prompt } = (await compileWith(world, { message: 'what is in the harbour?' })).briefing;
  return /<subscriptions>\n([\s\S]*?)<\/subscriptions>/u.exec(prompt)?.[1] ?? '';
}

describe('what a topic brings along', () => {
  it('keeps max_context_kb, the first file included', async () => {
    const told = await broughtWithin(150);
    expect(told).toContain('crane');
    expect(told.match(/crane/gu)?.length).toBeLessThan(25);
    expect(told).not.toContain('tide');
  });

  it('is whole where there is room', async () => {
    const told = await broughtWithin(4000);
    expect(told.match(/crane/gu)).toHaveLength(100);
    expect(told.match(/tide/gu)).toHaveLength(10);
  });
});
