import { createTwoFilesPatch } from 'diff';
import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseUnified } from './diff.ts';

it('reads what git prints: files, what became of them, and the words that differ', () => {
  const [changed, created, renamed] = parseUnified(
    [
      'diff --git a/MEMORY.md b/MEMORY.md',
      'index 1..2 100644',
      '--- a/MEMORY.md',
      '+++ b/MEMORY.md',
      '@@ -1,2 +1,2 @@',
      ' # Core',
      '-- Short answers, please',
      '+- Short answers with sources, please',
      'diff --git a/new.md b/new.md',
      'new file mode 100644',
      '--- /dev/null',
      '+++ b/new.md',
      '@@ -0,0 +1 @@',
      '+--- not a header',
      'diff --git a/old.md b/other.md',
      'rename from old.md',
      'rename to other.md',
    ].join('\n'),
  );
  expect(changed?.lines.map(({ kind }) => kind)).toEqual(['same', 'cut', 'add']);
  expect(changed?.lines[2]?.parts.filter(({ isChanged }) => isChanged).map(({ text }) => text)).toEqual([
    'answers with sources,',
  ]);
  expect(created).toMatchObject({ path: 'new.md', action: 'created', lines: [{ kind: 'add' }] });
  expect(renamed).toMatchObject({ path: 'other.md', from: 'old.md', action: 'renamed', lines: [] });
});

const text = fc.array(
  fc.constantFrom('one', 'two words', '--- a/x', '+++ b/x', '@@ -1 +1 @@', '', 'diff --git a/x b/x', '\\ odd'),
  { maxLength: 12 },
);

it('gives back both texts, whatever stands in them', () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const old = before.map((line) => `${line}\n`).join('');
      const fresh = after.map((line) => `${line}\n`).join('');
      const [file] = parseUnified(createTwoFilesPatch('a/f.md', 'b/f.md', old, fresh, '', '', { context: 100 }));
      const lines = file?.lines ?? [];
      const side = (kind: 'cut' | 'add'): string =>
        lines
          .filter((line) => line.kind === kind || line.kind === 'same')
          .map(({ parts }) => `${parts.map((part) => part.text).join('')}\n`)
          .join('');
      const isSame = old === fresh;
      expect(side('cut')).toBe(isSame ? '' : old);
      expect(side('add')).toBe(isSame ? '' : fresh);
    }),
  );
});
