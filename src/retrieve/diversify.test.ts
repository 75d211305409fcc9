import { describe, expect, it } from 'vitest';
import { diversify } from './diversify.ts';

const items = [
  { text: 'We deploy on Tuesdays with the ship script', score: 0.9 },
  { text: 'we deploy on tuesdays, with the ship script!', score: 0.88 },
  { text: 'The harbour dashboard shows tide levels', score: 0.8 },
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
      { text: 'Where do we keep the staging passwords now?', score: 0.9 },
      { text: 'In the team vault, the staging entry, since March.', score: 0.85 },
      { text: 'Lunch was good', score: 0.8 },
    ];
    expect(diversify(talk, 1)).toEqual(talk);
  });

  it('keeps every item', () => {
    expect(diversify(items, 1)).toHaveLength(3);
    expect(diversify([], 1)).toEqual([]);
  });
});
