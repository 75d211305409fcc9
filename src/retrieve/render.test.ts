import { describe, expect, it } from 'vitest';
import type { StoredPassage } from '../search-index/port.ts';
import { makePassage } from '../search-index/testing/documents.ts';
import { renderPassages } from './render.ts';

function stored(parts: Parameters<typeof makePassage>[0]): StoredPassage {
  const document = {
    source: 'raw',
    path: 'a.md',
    store: 'episodic',
    scope: 'shared',
    isArchived: false,
    title: 'A',
    session: undefined,
  } as const;
  return { ...makePassage(parts), number: 0, first: 0, count: 1, document };
}

const said = { lead: 'Mara', speaker: 'Mara', day: 'Monday 8 May 2023' } as const;

describe('renderPassages', () => {
  it('shows the day once and every speaker', () => {
    const members = [
      stored({ ...said, id: 't1', text: 'Hello' }),
      stored({ ...said, id: 't2', lead: 'Jon', speaker: 'Jon', text: 'Hi' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: Hello\nJon: Hi');
  });

  it('shows a new day where it begins', () => {
    const members = [
      stored({ ...said, id: 't1', text: 'Good night' }),
      stored({ ...said, id: 't2', day: 'Tuesday 9 May 2023', text: 'Good morning' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: Good night\n9 May 2023\nMara: Good morning');
  });

  it('shows what stands above an item', () => {
    expect(renderPassages([stored({ lead: 'Atlas › Facts', text: 'Uses Redis' })])).toBe('Atlas › Facts\nUses Redis');
    const dated = stored({ lead: 'Atlas › Facts', day: 'Monday 8 May 2023', text: 'Uses Redis' });
    expect(renderPassages([dated])).toBe('Atlas › Facts (8 May 2023)\nUses Redis');
  });

  it('does not repeat where the pieces of a long item overlap', () => {
    const members = [
      stored({ ...said, id: 't1', text: 'one two three four' }),
      stored({ ...said, id: 't1', text: 'three four five six' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: one two three four\nfive six');
  });
});
