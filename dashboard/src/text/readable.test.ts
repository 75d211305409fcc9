import { expect, it } from 'vitest';
import { addedWords, readableLine } from './readable.ts';

it('leaves out what only files need', () => {
  expect(readableLine('- Anna likes tea. <!-- source:user learned:2026-01-10 --> ^aaaaaaaaaaaaa')).toBe(
    'Anna likes tea.',
  );
  expect(readableLine('2 ^ 3 is <!-- open')).toBe('2 ^ 3 is');
  expect(readableLine('x'.repeat(500))).toHaveLength(240);
});

it('says what a change added: no headings, no frontmatter, no log', () => {
  const diff = [
    'diff --git a/memory/a.md b/memory/a.md',
    '--- a/memory/a.md',
    '+++ b/memory/a.md',
    '@@ -1,2 +1,6 @@',
    ' # A',
    '+type: person',
    '+## Facts',
    '+- Anna likes tea. ^aaaaaaaaaaaaa',
    '+- <!-- nothing -->',
    ' - old',
    'diff --git a/memory/meta/audit.log b/memory/meta/audit.log',
    '--- a/memory/meta/audit.log',
    '+++ b/memory/meta/audit.log',
    '@@ -1,1 +1,2 @@',
    ' one',
    '+2026-01-10 CREATE Anna',
  ].join('\n');
  expect(addedWords(diff)).toEqual(['Anna likes tea.']);
});
