import { describe, expect, it } from 'vitest';
import type { HeardTurn } from '../../port.ts';
import { summarise } from './summarise.ts';

function said(...texts: readonly string[]): HeardTurn[] {
  return texts.flatMap((text, at): HeardTurn[] => [
    { id: `t${2 * at}`, role: 'user', text, timeMs: 0, trust: 'user' },
    { id: `t${2 * at + 1}`, role: 'agent', text: 'Noted.', timeMs: 0, trust: 'agent' },
  ]);
}

describe('a summary', () => {
  it('lists a decision once, also where it is said in two wordings', async () => {
    const turns = said(
      'We decided to move the harbour queue from BullMQ to pg-boss.',
      'So the harbour queue moves from BullMQ to pg-boss, we decided.',
      'The staging server is called Heron and stands in Leipzig.',
    );
    const conversation = { session: 's', timeZone: 'UTC', turns };
    const { points, decisions, errors, next } = await summarise({ conversation, maxTokens: 500 });
    const all = [...points, ...decisions, ...errors, ...next];
    expect(all.filter((text) => text.includes('pg-boss'))).toHaveLength(1);
    expect(all.filter((text) => text.includes('Heron'))).toHaveLength(1);
  });
});
