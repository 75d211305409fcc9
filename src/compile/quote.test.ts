import { describe, expect, it } from 'vitest';
import type { StoredPassage } from '../search-index/port.ts';
import { headingOf } from './quote.ts';
import { DAY_MS } from '../model/time.ts';

const page = { path: 'memory/graph/entities/person--vera.md', store: 'semantic', source: 'workspace' };

function fact(session: string, day: number): StoredPassage {
  const passage = { id: `${session}-${day}`, text: 'Vera', session, turn: 't1', timeMs: day * DAY_MS, trust: 'user' };
  return { ...passage, type: 'fact', document: page } as unknown as StoredPassage;
}
const dayOf = (timeMs: number): string => `day ${timeMs / DAY_MS}`;

describe('the heading of what is quoted', () => {
  it('names the conversation that all of it is from', () => {
    expect(headingOf([fact('s1', 1), fact('s1', 1)], dayOf)).toBe('[day 1 · s1 · user and agent]');
  });

  it('lends no line of a page the conversation or the day of another', () => {
    expect(headingOf([fact('s1', 1), fact('s2', 5)], dayOf)).toBe(
      '[day 1 to day 5 · memory/graph/entities/person--vera.md · user and agent]',
    );
  });

  it('does not repeat the words of a procedure, which its file is called by', () => {
    const steps = { ...page, path: 'memory/procedures/deploy-is-ssh-to-the-old-box.md', store: 'procedural' };
    const step = { ...fact('s1', 1), session: undefined, turn: undefined, document: steps } as unknown as StoredPassage;
    expect(headingOf([step], dayOf)).toBe('[day 1 · memory/procedures · user]');
  });
});
