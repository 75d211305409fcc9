import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

describe('starting', () => {
  it('loads no package but commander before it knows the command', () => {
    const packages = new Set<string>();
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      const statics = /^(?:import|export)\s+(?!type\b)[^;]*?from\s+'(?<from>[^']+)'/gmu;
      for (const { groups } of fs.readFileSync(file, 'utf8').matchAll(statics)) {
        const from = groups?.['from'] ?? '';
        if (from.startsWith('.')) visit(path.resolve(path.dirname(file), from));
        else if (!from.startsWith('node:')) packages.add(from);
      }
    };
    visit(path.join(import.meta.dirname, 'run.ts'));
    expect(seen.size).toBeGreaterThan(5);
    expect([...packages]).toEqual(['commander']);
  });
});
