import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, it } from 'vitest';

it('a memory, a question and a reflection pass through at most 20 files each', () => {
  const script = path.join(import.meta.dirname, 'trace-files.ts');
  const printed = execFileSync(process.execPath, [script, '--json'], { encoding: 'utf8' });
  const ways = JSON.parse(printed) as Record<string, { readonly onTheWay: readonly string[] }>;
  for (const [name, { onTheWay }] of Object.entries(ways)) {
    expect(onTheWay).toContain('operations/operation.ts');
    expect({ name, files: onTheWay.length, isShort: onTheWay.length <= 20 }).toMatchObject({ isShort: true });
  }
  expect(Object.keys(ways)).toEqual(['remember', 'recall', 'reflection']);
});
