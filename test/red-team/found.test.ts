import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const REPOSITORY = path.join(import.meta.dirname, '../..');
const read = (file: string): string => fs.readFileSync(path.join(REPOSITORY, file), 'utf8');

interface Row {
  readonly found: string;
  readonly file: string;
  readonly cases: readonly string[];
}

const ROWS = read('test/red-team/FOUND.md')
  .split('\n')
  .flatMap((line): Row[] => {
    const [, found = '', file = '', cases = ''] = /^\| (.+?) \| `(.+?)` \| "(.+)" \|$/u.exec(line) ?? [];
    return file === '' ? [] : [{ found, file, cases: cases.split('", "') }];
  });

describe('the table of what attacks found', () => {
  it('has every finding', () => {
    const numbers = new Set(
      ROWS.map(({ found }) => /^S\d+/u.exec(found)?.[0]).filter((number) => number !== undefined),
    );
    expect(numbers.size).toBe(16);
  });

  it.each(ROWS)('names cases that are there: $found, in $file', ({ file, cases }) => {
    const known = file.startsWith('test/red-team/') ? read('test/red-team/CASES.md') : read(file);
    expect(cases.filter((title) => !known.includes(title.replaceAll('\\`', '`')))).toEqual([]);
  });
});
