import { expect, it } from 'vitest';
import { isCheapToParse } from './parse-cost.ts';

it.each([
  ['comments that never end', 'x <!--'.repeat(1000)],
  ['comments whose end stands in another paragraph', `x${'<!--'.repeat(1000)}\n\n-->`],
  ['instructions', 'x <?'.repeat(1000)],
  ['sections of character data', 'x <![CDATA['.repeat(1000)],
  ['quotations in quotations', '>'.repeat(1000)],
  ['lists in lists', '- '.repeat(1000)],
  ['a text of a megabyte', 'word '.repeat(200_000)],
])('shows %s without parsing them', (_name, text) => {
  expect(isCheapToParse(text)).toBe(false);
});

it.each([
  ['a memory file', '- Anna likes tea. <!-- source:user learned:2026-01-10 --> ^aaaaaaaaaaaaa\n'.repeat(1000)],
  ['a text about comments', 'Write `<!-- note -->` in HTML, or `<!--` to open one.\n'.repeat(20)],
  ['a discussion', '> > > No.\n\n> > Yes.\n\n> Why?\n'],
  ['a nested list', '- a\n  - b\n    - c\n'],
  ['a table and rules', '| a | b |\n|---|---|\n| < | > |\n\n---\n\n* * *\n'],
])('parses %s', (_name, text) => {
  expect(isCheapToParse(text)).toBe(true);
});
