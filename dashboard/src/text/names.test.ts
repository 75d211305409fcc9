import { expect, it } from 'vitest';
import { fadingWords, readableLinks } from './names.ts';

it('writes tasks and relations as a reader expects them', () => {
  expect(readableLinks('[ ] Paint the boat')).toBe('☐ Paint the boat');
  expect(readableLinks('[x] Paint the boat')).toBe('☑ Paint the boat');
  expect(readableLinks('works-for [[organization--brisk-instruments]]')).toBe('works for brisk instruments');
  expect(readableLinks('A list [ ] in the middle')).toBe('A list [ ] in the middle');
});

it('names the day of a diary, and the subject of a fact, among what fades', () => {
  const path = 'memory/graph/entities/place--aarhus.md';
  expect(fadingWords({ text: '2026-11-07', path: 'memory/journal/2026-11-07.md', store: 'journal' })).toEqual({
    words: 'The diary of 2026-11-07',
    about: '',
  });
  expect(fadingWords({ text: 'The second office.', path, store: 'semantic' })).toEqual({
    words: 'The second office.',
    about: 'aarhus',
  });
});
