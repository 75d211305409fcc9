import { expect, it } from 'vitest';
import { excerptOf } from './hits.ts';

it('shows of a long turn what stands around the first word that matches, cut between words', () => {
  const long = `${'so it goes '.repeat(80)}the heron sings ${'and then some '.repeat(80)}`;
  const excerpt = excerptOf(long, 'where is the heron');
  expect(excerpt).toContain('the heron sings');
  expect(excerpt.length).toBeLessThan(440);
  expect(excerpt).toMatch(/^… \S.*\S …$/u);
  expect(excerptOf('short enough', 'heron')).toBe('short enough');
  expect(excerptOf(long, 'nothing of it')).toMatch(/^so it goes.*…$/u);
});
