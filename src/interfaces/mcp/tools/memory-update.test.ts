import { describe, expect, it } from 'vitest';
import { withOtherWords } from './memory-update.ts';

const id = '7k2m9x0q4t1za';

describe('other words for an item', () => {
  it.each([
    [`- Old words ^${id}`, `- New words ^${id}`],
    [`- Old <!-- learned:2026-11-15 --> ^${id}`, `- New words <!-- learned:2026-11-15 --> ^${id}`],
    [`2. Old ^${id}`, `2. New words ^${id}`],
    [`- [ ] Old ^${id}`, `- [ ] New words ^${id}`],
    [`Old paragraph ^${id}`, `New words ^${id}`],
    [
      `## 00:44 | fact\n<!-- source:auto -->\nOld\nmore ^${id}`,
      `## 00:44 | fact\n<!-- source:auto -->\nNew words ^${id}`,
    ],
    [`## 00:44 | fact\nOld ^${id}`, `## 00:44 | fact\nNew words ^${id}`],
  ])('of %j keep what belongs to it', (text, changed) => {
    expect(withOtherWords({ text }, id, 'New\n words ')).toBe(changed);
  });

  it.each(['', '  \n', '# A heading', '```'])('cannot be %j', (words) => {
    expect(() => withOtherWords({ text: `## 00:44 | fact\nOld ^${id}` }, id, words)).toThrow(
      /no new text|not be a statement/u,
    );
  });
});
