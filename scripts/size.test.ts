import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { countCommandLine, findDuplicateHelpers, measureFiles } from './size.ts';
import { readSources } from './structure.ts';

describe('measureFiles', () => {
  it('counts lines of code, and neither blank lines nor comments', () => {
    const text = [
      '// One.',
      '// Two.',
      '',
      '/**',
      ' * Who asks.',
      ' */',
      'const one = 1; // Why.',
      '/** A reason. */',
      'run(one);',
      '',
    ];
    expect(measureFiles(new Map([['src/a.ts', text.join('\n')]]))).toEqual({
      lines: 2,
      generatedLines: 0,
      smallFiles: ['src/a.ts'],
      comments: 3,
      indirectComments: ['src/a.ts:4: Who asks.'],
    });
  });

  it('takes a file of 20 lines for no small one, and counts generated code apart', () => {
    const { smallFiles, lines, generatedLines } = measureFiles(
      new Map([['src/list.generated.ts', 'list();\n'.repeat(20)]]),
    );
    expect({ smallFiles, lines, generatedLines }).toEqual({ smallFiles: [], lines: 20, generatedLines: 20 });
  });
});

describe('findDuplicateHelpers', () => {
  const helper = (name: string): string =>
    `function ${name}(text: string): number {\n  let n = 0;\n  n += 1;\n  return n;\n}\n`;

  it('finds the same function under another name in another file', () => {
    const sources = new Map([
      ['src/a.ts', `const a = 1;\n\n${helper('count')}`],
      ['src/b.ts', `export ${helper('countWords')}`],
    ]);
    expect(findDuplicateHelpers(sources)).toEqual(['count: src/a.ts, src/b.ts']);
  });

  it('allows functions that differ', () => {
    const sources = new Map([
      ['src/a.ts', helper('count')],
      ['src/b.ts', helper('count').replace('+= 1', '+= 2')],
    ]);
    expect(findDuplicateHelpers(sources)).toEqual([]);
  });
});

describe('the command line', () => {
  it('takes at most 4,000 lines', () => {
    expect(countCommandLine(readSources(path.resolve(import.meta.dirname, '..'), 'src'))).toBeLessThanOrEqual(4000);
  });
});
