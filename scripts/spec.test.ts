import { describe, expect, it } from 'vitest';
import { findSpecProblems } from './spec.ts';

const entry = (id: string, ...files: readonly string[]): string =>
  `- \`${id}\` **Something holds.** — ${files.map((file) => `\`${file}\``).join(', ')}\n`;
const A = 'src/a.test.ts';
const citing = (text: string): ReadonlyMap<string, string> => new Map([[A, text]]);

describe('findSpecProblems', () => {
  it('accepts ids that rise within their section and are cited by the tests that their entry names', () => {
    const spec = `# Invariants\n\n## One\n\n${entry('ONE-1', A)}${entry('ONE-3', A)}\n## Two\n\n${entry('TWO-1', A)}`;
    expect(findSpecProblems(spec, citing('// SPEC ONE-1, ONE-3\n// SPEC TWO-1\n'))).toEqual([]);
  });

  it('finds an entry without a test, and one whose test does not exist', () => {
    expect(findSpecProblems(entry('ONE-1'), citing(''))).toEqual(['ONE-1 names no test']);
    expect(findSpecProblems(entry('ONE-1', 'src/b.test.ts'), citing(''))).toEqual([
      'ONE-1 names src/b.test.ts, which does not exist',
    ]);
  });

  it('finds a test that does not cite what it is named for', () => {
    expect(findSpecProblems(entry('ONE-1', A), citing('// SPEC ONE-11\n'))).toEqual([
      `${A} does not cite ONE-1 (write "// SPEC ONE-1" above its test)`,
      `${A} cites ONE-11, whose entry does not name it`,
    ]);
  });

  it('finds ids that stand twice, fall, or leave their section', () => {
    const cited = citing('// SPEC ONE-1, ONE-2, TWO-1\n');
    expect(
      findSpecProblems(entry('ONE-1', A) + entry('ONE-1', A) + entry('ONE-2', A) + entry('TWO-1', A), cited),
    ).toEqual(['ONE-1 does not follow ONE-1']);
    expect(findSpecProblems(entry('ONE-2', A) + entry('ONE-1', A) + entry('TWO-1', A), cited)).toEqual([
      'ONE-1 does not follow ONE-2',
    ]);
    expect(findSpecProblems(entry('ONE-1', A) + entry('TWO-1', A) + entry('ONE-2', A), cited)).toEqual([
      'ONE-2 stands outside of its section',
    ]);
  });
});
