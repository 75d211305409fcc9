import { describe, expect, it } from 'vitest';
import { extractTerms } from '../search-index/text/terms.ts';
import { diversify, type Diverse } from './diversify.ts';

function item(text: string, score: number): Diverse & { readonly text: string } {
  return { text, score, terms: new Set(extractTerms(text)) };
}

const items = [
  item('We deploy on Tuesdays with the ship script', 0.9),
  item('we deploy on tuesdays, with the ship script!', 0.88),
  item('The harbour dashboard shows tide levels', 0.8),
];

describe('diversify', () => {
  it('lets something else come before a repetition', () => {
    expect(diversify(items, 0.5).map(({ text }) => text)).toEqual([items[0]?.text, items[2]?.text, items[1]?.text]);
  });

  it('leaves the order alone when told to', () => {
    expect(diversify(items, 0)).toEqual(items);
  });

  it('does not push back what only shares a topic', () => {
    const talk = [
      item('Where do we keep the staging passwords now?', 0.9),
      item('In the team vault, the staging entry, since March.', 0.85),
      item('Lunch was good', 0.8),
    ];
    expect(diversify(talk, 1)).toEqual(talk);
  });

  it('keeps every item', () => {
    expect(diversify(items, 1)).toHaveLength(3);
    expect(diversify([], 1)).toEqual([]);
  });
});
