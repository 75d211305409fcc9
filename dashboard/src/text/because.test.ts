import { expect, it } from 'vitest';
import { because, decisionWords } from './because.ts';

it('says in plain words why a memory was left out', () => {
  expect(because('helps with a chance of 18 %, less than 19 %')).toBe('Only 18 % likely to help; the bar was 19 %');
  expect(because('not among the best 8: helps with a chance of 8 % at first look')).toBe(
    'At least 8 others were closer',
  );
  expect(because('repeats core')).toBe('Core memory says it already');
  expect(because('included')).toBe('');
  expect(because('something new')).toBe('Something new');
});

it('says in plain words why a prompt got memory or none', () => {
  expect(decisionWords('memory is needed for this prompt (chance 99 %, needs 65 %)')).toBe(
    'Mneme was 99 % sure that memory helps here.',
  );
  expect(decisionWords('nothing fits (chance 12 %, needs 65 %)')).toBe(
    'Mneme was only 12 % sure that memory helps here; it speaks up from 65 %.',
  );
});
