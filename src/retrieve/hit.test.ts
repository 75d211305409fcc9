import { describe, expect, it } from 'vitest';
import { makeStored } from '../search-index/testing/documents.ts';
import { renderPassages } from './hit.ts';

const said = { lead: 'Mara', speaker: 'Mara', day: 'Monday 8 May 2023' } as const;

describe('renderPassages', () => {
  it('shows the day once and every speaker', () => {
    const members = [
      makeStored({ ...said, id: 't1', text: 'Hello' }),
      makeStored({ ...said, id: 't2', lead: 'Jon', speaker: 'Jon', text: 'Hi' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: Hello\nJon: Hi');
  });

  it('shows a new day where it begins', () => {
    const members = [
      makeStored({ ...said, id: 't1', text: 'Good night' }),
      makeStored({ ...said, id: 't2', day: 'Tuesday 9 May 2023', text: 'Good morning' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: Good night\n9 May 2023\nMara: Good morning');
  });

  it('shows what stands above an item', () => {
    expect(renderPassages([makeStored({ lead: 'Atlas › Facts', text: 'Uses Redis' })])).toBe(
      'Atlas › Facts\nUses Redis',
    );
    const dated = makeStored({ lead: 'Atlas › Facts', day: 'Monday 8 May 2023', text: 'Uses Redis' });
    expect(renderPassages([dated])).toBe('Atlas › Facts (8 May 2023)\nUses Redis');
  });

  it('does not repeat where the pieces of a long item overlap', () => {
    const members = [
      makeStored({ ...said, id: 't1', text: 'one two three four' }),
      makeStored({ ...said, id: 't1', text: 'three four five six' }),
    ];
    expect(renderPassages(members)).toBe('8 May 2023\nMara: one two three four\nfive six');
  });
});
