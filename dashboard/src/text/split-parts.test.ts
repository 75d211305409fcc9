import { expect, it } from 'vitest';
import { splitParts } from './split-parts.ts';

it('splits a long text before headings, loses no line, and numbers the parts by their first lines', () => {
  const lines = Array.from({ length: 1000 }, (_, number) =>
    number % 70 === 0 ? `## Part ${number}` : `line ${number}`,
  );
  const parts = splitParts(lines.join('\n'));
  expect(parts.map(({ text }) => text).join('\n')).toBe(lines.join('\n'));
  expect(parts.every(({ text }) => text.startsWith('## ') && text.split('\n').length <= 300)).toBe(true);
  expect(parts.every(({ first, text }) => lines[first - 1] === text.split('\n')[0])).toBe(true);
  expect(splitParts('one line')).toEqual([{ first: 1, text: 'one line' }]);
});
