import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDiff, makeDiff, parseDiff } from './diff-text.ts';

function diffOf(before: string, after: string): string {
  return makeDiff({ path: 'a.md', text: before }, { path: 'a.md', text: after });
}

const line = fc.constantFrom(
  '',
  ' ',
  '# One',
  '- two',
  '--- three',
  '+++ four',
  '@@ five',
  '```',
  '\\ six',
  'sieben é',
);
const text = fc
  .tuple(fc.array(line, { maxLength: 30 }), fc.boolean())
  .map(([lines, endsWithEol]) => lines.join('\n') + (endsWithEol && lines.length > 0 ? '\n' : ''));

describe('diffs', () => {
  it('give the new text back from the old one', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        expect(applyDiff(before, diffOf(before, after), 'exact')).toBe(after);
      }),
      { numRuns: 2000 },
    );
  });

  it('give a CRLF file its line ends back', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const crlf = (lf: string): string => lf.replaceAll('\n', '\r\n');
        fc.pre(before.includes('\n'));
        const diff = diffOf(crlf(before), crlf(after));
        expect(diff).not.toContain('\r');
        expect(applyDiff(crlf(before), diff, 'exact')).toBe(crlf(after));
      }),
    );
  });

  it('name both files, name /dev/null for a missing file, and are empty without a difference', () => {
    expect(makeDiff({ path: 'a.md', text: undefined }, { path: 'a.md', text: 'one\n' })).toBe(
      '--- /dev/null\n+++ b/a.md\n@@ -0,0 +1,1 @@\n+one\n',
    );
    expect(makeDiff({ path: 'a.md', text: 'one\n' }, { path: 'b.md', text: 'two\n' })).toMatch(
      /^--- a\/a\.md\n\+\+\+ b\/b\.md\n/,
    );
    expect(diffOf('same\n', 'same\n')).toBe('');
  });

  it('are understood after a person edited them', () => {
    const before = '# List\n\n- one\n\n- two\n\nend\n';
    const wrongCounts = '@@ -1,99 +1,2 @@\n # List\n\n-- one\n+- one, edited\n+- and another\n\n - two\n';
    expect(applyDiff(before, wrongCounts, 'exact')).toBe('# List\n\n- one, edited\n- and another\n\n- two\n\nend\n');
    const bare = '-- two\n+- three\n';
    expect(applyDiff(before, bare, 'exact')).toBe('# List\n\n- one\n\n- three\n\nend\n');
  });

  it('say which line a person left without a mark', () => {
    expect(() => parseDiff('@@ -1,1 +1,1 @@\nforgotten\n')).toThrow(/Line 2 of the diff, "forgotten"/);
  });

  it('fit a text that changed around them only where that is allowed', () => {
    const before = 'a\nb\nc\nd\ne\nf\ng\n';
    const diff = diffOf(before, 'a\nb\nc\nD\ne\nf\ng\n');
    const moved = `x\ny\n${before.replace('a\n', 'A\n').replace('b\n', 'B\n')}`;
    expect(applyDiff(moved, diff, 'exact')).toBeUndefined();
    expect(applyDiff(moved, diff, 'fuzzy')).toBe(moved.replace('d\n', 'D\n'));
    expect(applyDiff('nothing alike\n', diff, 'fuzzy')).toBeUndefined();
  });
});
